import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printPythonPackage } from '../../src/cli/client-file/python/package.ts';
import { type Api, startApi } from '../feature/docs/_api.ts';
import { UPLOAD } from './_upload-call.ts';

/** The Python client of `treadle client`: `mypy --strict` takes it, and a real server answers it. */
const test = suite('Python client');

const has = (modules: string): boolean => spawnSync('python3', ['-c', `import ${modules}`]).status === 0;
const HAS = { python: has('typing'), httpx: has('httpx'), mypy: has('httpx, mypy') };

/** Says which part of the machine a test lacks, in place of a test that passes unseen. */
function testWith(need: keyof typeof HAS, name: string, run: () => Promise<void>): void {
  if (HAS[need]) test(name, run);
  else test.skip(`${name} (python3 with ${need} is missing here)`, run);
}

let api: Api;
let folder: string;

test.before(async () => {
  api = await startApi();
  folder = mkdtempSync(join(tmpdir(), 'treadle-python-'));
  const info = { title: 'Test API', version: '1.2.3' };
  const document = { ...api.document, info, paths: { ...(api.document.paths as object), ...UPLOAD } };
  const files = printPythonPackage(document, undefined);
  assert.equal([...printPythonPackage(JSON.parse(JSON.stringify(document)), undefined)], [...files]);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
test.after(async () => {
  await api?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Runs Python beside the server, which answers from this process. */
function runPython(words: readonly string[]): Promise<{ code: number | null; out: string }> {
  const env = { ...process.env, URL: api.url, TOKEN: api.token, ID: api.app.id, SECRET: api.app.secret };
  const child = spawn('python3', [...words], { cwd: folder, env });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (out += String(part)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out })));
}

const HEAD = `import os
import httpx
from test_api_client import ApiError, Client, Thing, facts_of

def connect(**options: object) -> Client:
    return Client(os.environ["URL"], token=os.environ["TOKEN"], client_id=os.environ["ID"], client_secret=os.environ["SECRET"], **options)
`;

/** Valid and invalid uses: each line that must not pass is marked, and a mark too many is an error, too. */
const USE = `
def use(client: Client) -> list[str]:
    page = client.thing.public_search(limit=5, filter={"thing_number": {"gte": 5}, "thing_select": "a"}, sort="-thing_name")
    first: Thing = page.rows[0]
    client.thing.public_search(filter={"thing_number": {"contains": "x"}})  # type: ignore
    client.thing.public_search(filter={"or": [{"thing_number": 5}, {"thing_name": {"starts": "a"}}], "thing_number": 5})
    client.thing.public_search(filter={"or": [{"thing_number": {"contains": "x"}}]})  # type: ignore
    before: str = client.thing.user_update(1, {"thing_number": 1})["original"]["thing_name"]
    client.thing.public_search(filter={"thing_select": {"in": ["c"]}})  # type: ignore
    client.thing.public_search(filter={"thing_number": {"gte": "five"}})  # type: ignore
    client.thing.public_search(fields=["thing_nam"])  # type: ignore
    client.thing.public_search(limt=5)  # type: ignore
    client.thing.user_create({"thing_number": 5})  # type: ignore
    client.thing.user_create({"thing_name": "x", "thing_select": "c"})  # type: ignore
    client.thing.user_revise(1, {"thing_number": 1})  # type: ignore
    client.thing.user_revise(1, {"thing_number": 1}, if_match="*")
    client.thing.user_batch({"operations": [{"action": "create", "values": {"thing_name": "x"}}, {"action": "remove", "id": 1}]})
    names = [row["thing_name"] for row in client.thing.user_search_all(fields=["thing_name"])]
    detail = client.thing.public_detail(1)
    labels = [label["label_title"] for label in detail["label"]]
    url: str = client.user.upload(b"x", name="x.txt")["url"]
    return [first["thing_name"], before, url, *names, *labels]
`;

const LIVE = `
client = connect()
made = client.thing.user_create({"thing_name": "One", "thing_number": 5, "thing_tag": ["a"]})
facts = facts_of(made)
assert facts is not None and facts.status == 201 and facts.etag is not None and not facts.is_replayed
changed = client.thing.user_update(made["thing_id"], {"thing_number": 6}, if_match=facts.etag)
assert changed["thing_number"] == 6
try:
    client.thing.user_update(made["thing_id"], {"thing_number": 7}, if_match=facts.etag)
    raise AssertionError("412 is missing")
except ApiError as error:
    assert error.status == 412 and error.etag and error.request_id
try:
    client.thing.user_create({"thing_name": "", "thing_fieldset": [{"from": "x"}]})
    raise AssertionError("422 is missing")
except ApiError as error:
    assert error.status == 422 and error.call == "user-thing-create"
    assert error.message_of("thing_name") and error.message_of("thing_number") is None
    assert any(fault.get("pointer") == "/thing_name" for fault in error.errors)
for number in range(7):
    client.thing.user_create({"thing_name": f"Page {number}", "thing_number": 101 + number})
rows = list(client.thing.user_search_all(limit=3, fields=["thing_number"], filter={"thing_number": {"gt": 100}}, sort="-thing_number"))
assert [row["thing_number"] for row in rows] == [107, 106, 105, 104, 103, 102, 101], rows
page = client.thing.public_search(limit=2, filter={"thing_number": {"in": [101, 103]}})
assert page.total == 2
assert client.thing.public_search(filter={"part.part_title": "none"}).total == 0
assert client.thing.public_search(filter={"thing_name": {"in": ["Page 1", "Page, 2"]}}).total == 1, "a comma in an item parts no list"
either = [{"thing_number": 101}, {"thing_number": {"gte": 106}, "thing_name": {"starts": "Page"}}]
assert client.thing.public_search(filter={"or": either, "thing_number": {"gt": 100}}).total == 3
first = client.thing.user_create({"thing_name": "Once"}, idempotency_key="python-once")
second = client.thing.user_create({"thing_name": "Once"}, idempotency_key="python-once")
again = facts_of(second)
assert first["thing_id"] == second["thing_id"] and again is not None and again.is_replayed
batch = client.thing.user_batch({"operations": [{"action": "create", "values": {"thing_name": "B"}}, {"action": "remove", "id": first["thing_id"]}]})
assert len(batch["rows"]) == 2
assert client.thing.app_detail(made["thing_id"])["thing_name"] == "One"
assert Client(os.environ["URL"], client_id=os.environ["ID"]).thing.app_detail(made["thing_id"])["thing_name"] == "One"
for text, call in (("give the client a token", lambda: Client(os.environ["URL"]).thing.user_search()), ("give the client a client_id", lambda: Client(os.environ["URL"]).thing.app_search())):
    try:
        call()
        raise AssertionError("refusal is missing")
    except ValueError as error:
        assert text in str(error)
client.close()
print("done")
`;

const REPEATS = `
def answer(status: int, headers: dict[str, str] | None = None, body: object = None) -> httpx.Response:
    return httpx.Response(status, headers=headers, json={"results": {}} if body is None else body)

sent: list[httpx.Request] = []
pauses: list[float] = []
left: list[object] = []

def handle(request: httpx.Request) -> httpx.Response:
    request.read()
    sent.append(request)
    following = left.pop(0) if left else answer(201)
    if isinstance(following, Exception):
        raise following
    assert isinstance(following, httpx.Response)
    return following

http = httpx.Client(transport=httpx.MockTransport(handle))
client = connect(http=http, retries=3, sleep=pauses.append, random=lambda: 0.5, now=lambda: 5.0, make_key=lambda: "our-key")
left[:] = [httpx.ConnectError("lost"), httpx.ReadTimeout("late"), answer(503, {"retry-after": "Thu, 01 Jan 1970 00:00:07 GMT"})]
client.thing.user_create({"thing_name": "Spread"})
assert [round(pause, 3) for pause in pauses] == [0.15, 0.3, 2.0], pauses
assert {request.headers["idempotency-key"] for request in sent} == {"our-key"} and len(sent) == 4

pauses.clear()
sent.clear()
left[:] = [answer(429, {"retry-after": "3600"})]
try:
    client.thing.user_search()
    raise AssertionError("429 is missing")
except ApiError as error:
    assert error.status == 429 and error.retry_after == 3600 and pauses == [] and len(sent) == 1

sent.clear()
left[:] = [httpx.ConnectError("lost")]
try:
    client.thing.user_create({"thing_name": "x"}, idempotency_key=False)
    raise AssertionError("error is missing")
except httpx.ConnectError:
    assert len(sent) == 1 and "idempotency-key" not in sent[0].headers

left[:] = [httpx.ConnectError("lost"), answer(201, body={"results": {"url": "/uploads/1", "name": "x.txt", "type": "text/plain", "size": 3}})]
import io
assert client.user.upload(io.BytesIO(b"one"), name="x.txt", media_type="text/plain")["url"] == "/uploads/1"
for request in sent[-2:]:
    assert b"one" in request.content and b'filename="x.txt"' in request.content, "a stream is read once and sent again"

left[:] = [answer(409, body={"code": "VALUE_TAKEN", "errors": [{"pointer": "/thing_sku", "rule": "taken", "detail": "Taken"}]})]
try:
    client.thing.user_create({"thing_name": "x"})
    raise AssertionError("409 is missing")
except ApiError as error:
    assert error.code == "VALUE_TAKEN" and error.has_code("ROW_MISSING", "VALUE_TAKEN") and not error.has_code("ROW_MISSING")
    assert error.errors[0]["rule"] == "taken"
left[:] = [httpx.Response(502, text="<h1>proxy</h1>")]
try:
    client.thing.user_search()
    raise AssertionError("502 is missing")
except ApiError as error:
    assert error.status == 502 and error.code is None
print("done")
`;

testWith('python', 'Python reads every file', async () => {
  const { code, out } = await runPython(['-m', 'compileall', '-q', 'test_api_client']);
  assert.is(code, 0, out);
});

testWith('mypy', 'mypy --strict takes it, and refuses what the API would', async () => {
  writeFileSync(join(folder, 'use.py'), HEAD + USE);
  const { code, out } = await runPython(['-m', 'mypy', '--strict', 'test_api_client', 'use.py']);
  assert.is(code, 0, out);
});

for (const [name, text] of [
  ['a real server answers it: versions, refusals, pages, filters, replays, batches, apps', LIVE],
  ['it repeats what may be repeated, with one key, and sends files', REPEATS],
] as const) {
  testWith('httpx', name, async () => {
    writeFileSync(join(folder, 'run.py'), HEAD + text);
    const { code, out } = await runPython(['run.py']);
    assert.is(code, 0, out);
    assert.is(out.trim(), 'done');
  });
}

test.run();
