# Python loads this when MiniStack starts. It corrects where MiniStack 1.5.33 is not as AWS is.
from ministack.core import iam_actions, iam_evaluator
from ministack.services import apigateway, lambda_svc

ONE_MAPPING = {"GET": "GetEventSourceMapping", "PUT": "UpdateEventSourceMapping"}
known_action = iam_actions._lambda_action
known_resource = iam_actions.extract_resource_arn
known_enforce = iam_evaluator.enforce
known_event = lambda_svc._build_function_url_event


# It asks about lambda:ListEventSourceMappings when one mapping is read, and about nothing when one is changed.
def lambda_action(method, path):
    is_one = path.startswith("/2015-03-31/event-source-mappings/")
    return ONE_MAPPING[method] if is_one and method in ONE_MAPPING else known_action(method, path)


# It asks about the function when an alias of it is invoked.
def extract_resource_arn(service, method, path, headers, body, query_params, region, account_id):
    arn = known_resource(service, method, path, headers, body, query_params, region, account_id)
    alias = iam_actions._query_param(query_params, "Qualifier")
    return f"{arn}:{alias}" if service == "lambda" and alias and path.endswith("/invocations") else arn


# A function URL needs two permissions. It asks about the first only, and about none if nobody has signed.
def enforce(access_key_id, iam_action, service, region, resource_arn="*", service_context=None):
    ask = known_enforce if access_key_id or iam_action != "lambda:InvokeFunctionUrl" else ask_for_everybody
    denied = ask(access_key_id, iam_action, service, region, resource_arn, service_context)
    if denied or iam_action != "lambda:InvokeFunctionUrl":
        return denied
    via_url = {"lambda:InvokedViaFunctionUrl": "true"}
    return ask(access_key_id, "lambda:InvokeFunction", service, region, resource_arn, via_url)


def ask_for_everybody(_, iam_action, service, region, resource_arn, service_context):
    policy, _ = iam_evaluator._resource_policy(service, resource_arn) or (None, None)
    keys = {key.lower(): value for key, value in (service_context or {}).items()}
    asked = iam_evaluator.EvalContext("*", "Anonymous", "", iam_action, resource_arn, region, service_context=keys)
    result = iam_evaluator.evaluate_resource_policy(policy, asked)
    return None if result.decision == "Allow" else result


# It does not tell the function behind a URL who has signed.
def function_url_event(url_id, account_id, region, method, path, headers, body, query_params, **rest):
    event = known_event(url_id, account_id, region, method, path, headers, body, query_params, **rest)
    if not rest.get("anonymous"):
        event["requestContext"]["authorizer"] = {"iam": apigateway._iam_caller_identity_v2(headers, query_params)}
    return event


iam_actions._lambda_action = lambda_action
iam_actions.extract_resource_arn = extract_resource_arn
iam_evaluator.enforce = enforce
lambda_svc._build_function_url_event = function_url_event
