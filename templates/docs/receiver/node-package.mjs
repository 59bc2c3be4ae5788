// npm install standardwebhooks
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

// whsec_…, or several secrets separated by spaces
const webhooks = process.env.WEBHOOK_SECRET.split(' ').map((secret) => new Webhook(secret));

function verify(body, headers) {
  for (const webhook of webhooks) {
    try {
      return webhook.verify(body, headers);
    } catch {
      // Not this secret.
    }
  }
  throw new Error('No secret verifies it.');
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const event = verify(Buffer.concat(chunks), request.headers);
    console.log(request.headers['webhook-id'], event.type, event.data);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(process.env.PORT ?? 4000);
