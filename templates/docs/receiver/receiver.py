import hashlib
import hmac
import json
import os
import time
from base64 import b64decode, b64encode
from http.server import BaseHTTPRequestHandler, HTTPServer

# whsec_…, or several secrets separated by spaces
SECRETS = os.environ["WEBHOOK_SECRET"].split()
KEYS = [b64decode(secret.removeprefix("whsec_")) for secret in SECRETS]


def is_genuine(body, headers):
    """body: the received bytes, before any JSON parser."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not message_id or not timestamp.isdigit():
        return False
    if abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    entries = headers.get("webhook-signature", "").encode().split(b" ")
    for key in KEYS:
        digest = hmac.new(key, signed, hashlib.sha256).digest()
        wanted = b"v1," + b64encode(digest)
        if any(hmac.compare_digest(entry, wanted) for entry in entries):
            return True
    return False


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if is_genuine(body, self.headers):
            event = json.loads(body)
            print(event["type"], event["data"], flush=True)
            self.send_response(204)
        else:
            self.send_response(400)
        self.end_headers()


PORT = int(os.environ.get("PORT", "4000"))
HTTPServer(("", PORT), Receiver).serve_forever()
