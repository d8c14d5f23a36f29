# Python loads this when MiniStack starts. What MiniStack 1.5.33 asks IAM about is not what AWS asks about in two cases.
from ministack.core import iam_actions

ONE_MAPPING = {"GET": "GetEventSourceMapping", "PUT": "UpdateEventSourceMapping"}
known_action = iam_actions._lambda_action
known_resource = iam_actions.extract_resource_arn


# It asks about lambda:ListEventSourceMappings when one mapping is read, and about nothing when one is changed.
def lambda_action(method, path):
    is_one = path.startswith("/2015-03-31/event-source-mappings/")
    return ONE_MAPPING[method] if is_one and method in ONE_MAPPING else known_action(method, path)


# It asks about the function when an alias of it is invoked.
def extract_resource_arn(service, method, path, headers, body, query_params, region, account_id):
    arn = known_resource(service, method, path, headers, body, query_params, region, account_id)
    alias = iam_actions._query_param(query_params, "Qualifier")
    return f"{arn}:{alias}" if service == "lambda" and alias and path.endswith("/invocations") else arn


iam_actions._lambda_action = lambda_action
iam_actions.extract_resource_arn = extract_resource_arn
