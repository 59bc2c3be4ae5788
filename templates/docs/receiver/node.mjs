import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

// whsec_…, or several secrets separated by spaces
const secrets = process.env.WEBHOOK_SECRET.split(' ');
const keys = secrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));

// body: the received bytes, before any JSON parser.
function isGenuine(body, headers) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!id || !(age < 300)) return false;
  const entries = String(headers['webhook-signature']).split(' ');
  return keys.some((key) => {
    const hmac = createHmac('sha256', key);
    const wanted = hmac.update(`${id}.${timestamp}.`).update(body).digest();
    return entries.some((entry) => {
      const [version, signature = ''] = entry.split(',');
      const given = Buffer.from(signature, 'base64');
      if (version !== 'v1' || given.length !== wanted.length) return false;
      return timingSafeEqual(given, wanted);
    });
  });
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(body, request.headers)) {
    response.writeHead(400).end();
    return;
  }
  const event = JSON.parse(body);
  console.log(request.headers['webhook-id'], event.type, event.data);
  response.writeHead(204).end();
}).listen(process.env.PORT ?? 4000);
