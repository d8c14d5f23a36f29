import base64, hashlib, json


def read_envelope(text, s3=None):
    """The envelope of an event, and the exact bytes that its sender signed."""
    envelope = json.loads(text)
    if envelope["version"] != 1:
        raise ValueError(f"version {envelope['version']}, expected 1")
    body = envelope["body"]
    if body["encoding"] == "utf8":
        data = body["data"].encode("utf-8")
    elif body["encoding"] == "base64":
        data = base64.b64decode(body["data"])
    else:  # "s3": too large for a message. s3 = boto3.client("s3")
        data = s3.get_object(Bucket=body["bucket"], Key=body["key"])["Body"].read()
    if hashlib.sha256(data).hexdigest() != body["sha256"]:
        raise ValueError("the body is not the one that was signed")
    return envelope, data
