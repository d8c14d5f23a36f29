# Python loads this when MiniStack starts. It corrects where MiniStack 1.5.33 is not as AWS is.
from contextvars import ContextVar

from ministack.core import iam_actions, iam_evaluator, lambda_runtime
from ministack.services import apigateway, lambda_svc

ONE_MAPPING = {"GET": "GetEventSourceMapping", "PUT": "UpdateEventSourceMapping"}
NAMES_RESOURCE = {"dynamodb", "events", "lambda", "s3", "secretsmanager", "sqs"}
asked_about = ContextVar("asked_about")
known_iam_action = iam_actions.extract_iam_action
known_action = iam_actions._lambda_action
known_resource = iam_actions.extract_resource_arn
known_enforce = iam_evaluator.enforce
known_refusal = iam_actions.access_denied_response
known_event = lambda_svc._build_function_url_event


# IAM knows no batches of SQS: whoever may delete a message may delete ten. It asks about sqs:DeleteMessageBatch, which no policy can allow.
def extract_iam_action(service, *request):
    action = known_iam_action(service, *request)
    return action.removesuffix("Batch") if service == "sqs" and action else action


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
    asked_about.set(resource_arn)
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


# It does not say which resource somebody was refused. AWS does, and SQS then writes the action in lower case, and S3 quotes.
def access_denied_response(service, action, principal_arn, request_id, **rest):
    is_said = any(rest.get(key) for key in ("message", "error_code", "resource_policy_arn"))
    if service in NAMES_RESOURCE and not is_said:
        spelled = action.lower() if service == "sqs" else action
        resource = f'"{asked_about.get()}"' if service == "s3" else asked_about.get()
        is_explicit = rest.get("explicit_deny", False)
        rest["message"] = iam_actions.identity_denial_message(spelled, principal_arn, resource, is_explicit)
    return known_refusal(service, action, principal_arn, request_id, **rest)


# It waits 50 ms for the first line of a call and 5 ms for the next one. On a busy machine those come later, and are lost if the function
# is replaced then.
lambda_runtime.Worker._drain_stderr_bounded.__defaults__ = (0.5, 0.02, 1.0)

iam_actions.extract_iam_action = extract_iam_action
iam_actions.access_denied_response = access_denied_response
iam_actions._lambda_action = lambda_action
iam_actions.extract_resource_arn = extract_resource_arn
iam_evaluator.enforce = enforce
lambda_svc._build_function_url_event = function_url_event
