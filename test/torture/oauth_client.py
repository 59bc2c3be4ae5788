"""A program of another language, as Debian packages it (python3-requests-oauthlib), through the whole way: metadata, authorize,
token, call, refresh, revoke, over https under a local authority. Its half of oauth-python.mjs: prints the address that the
user opens, reads where the user was sent back to, and prints what it saw."""
import base64
import hashlib
import json
import os
import sys

from requests_oauthlib import OAuth2Session

ca = os.environ["CA_FILE"]
issuer = os.environ["ISSUER"]
client = os.environ["CLIENT_ID"]
secret = os.environ["CLIENT_SECRET"]
callback = os.environ["CALLBACK"]

session = OAuth2Session(client, redirect_uri=callback, scope=["profile_read"])
server = session.get(issuer + "/.well-known/oauth-authorization-server", verify=ca, withhold_token=True).json()
verifier = base64.urlsafe_b64encode(os.urandom(48)).rstrip(b"=").decode()
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
url, state = session.authorization_url(
    server["authorization_endpoint"], code_challenge=challenge, code_challenge_method="S256"
)
print(json.dumps({"url": url}), flush=True)
back = sys.stdin.readline().strip()

token = session.fetch_token(
    server["token_endpoint"], authorization_response=back, client_secret=secret, code_verifier=verifier, verify=ca
)
call = session.get(issuer + "/rest/user/profile/detail", verify=ca)
renewed = session.refresh_token(server["token_endpoint"], auth=(client, secret), verify=ca)
again = session.get(issuer + "/rest/user/profile/detail", verify=ca)
revoked = session.post(
    server["revocation_endpoint"],
    data={"token": renewed["refresh_token"]},
    auth=(client, secret),
    verify=ca,
    withhold_token=True,
)
after = session.get(issuer + "/rest/user/profile/detail", verify=ca)
print(
    json.dumps(
        {
            "issuer": server["issuer"],
            "type": token["token_type"],
            "rotated": renewed["refresh_token"] != token["refresh_token"],
            "statuses": [call.status_code, again.status_code, revoked.status_code, after.status_code],
            "name": call.json()["results"]["profile_name"],
        }
    ),
    flush=True,
)
