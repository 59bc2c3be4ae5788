import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import { addArticle, boot } from '../boot.ts';
import { hasChromium } from './_browser.ts';
import { hasNginx, startNginx } from './_guide-proxy.ts';
import { openChrome, saveArticle, useApp } from './_proxy-walk.ts';

/** What people do at a site behind a proxy, with forms only: what stops one of them stops a whole site. */
const walk = suite('behind a proxy in Chromium');

/** A proxy of one's own that writes the client's address with a port, as some load balancers do. */
async function startPortProxy(to: number): Promise<{ rules: string; end(): void }> {
  const server = createServer((req, res) => {
    const forwarded = `198.51.100.2:${req.socket.remotePort}`;
    const headers = { ...req.headers, 'x-forwarded-for': forwarded, 'x-forwarded-proto': 'http' };
    const { method, url } = req;
    const onward = forward({ port: to, host: '127.0.0.1', method, path: url, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const end = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { rules: `MAP intranet.test:80 127.0.0.1:${port}`, end };
}

interface Place {
  /** Leads the names of the site to this machine. */
  readonly rules: string;
  end(): unknown;
}

/** Runs the whole walk at a site behind a proxy, which gets the port of the site. */
async function run(base: string, open: (port: number) => Promise<Place>): Promise<void> {
  // Only in development may a site with an API be at http beyond this machine.
  const mode = base.startsWith('http:') ? 'development' : 'test';
  const site = await boot({ mode, settings: { api: true, server: { baseUrl: base, trustProxy: 1 } } });
  const place = await open(Number(new URL(site.url).port));
  const chrome = await openChrome(place.rules);
  try {
    const id = await addArticle(site);
    const page = await (await chrome.newContext({ ignoreHTTPSErrors: true })).newPage();
    page.setDefaultTimeout(15_000);
    await useApp(page, base);
    await saveArticle(page, base, site, id);
  } finally {
    await chrome.close();
    await place.end();
    await site.close();
  }
}

if (hasChromium) {
  walk('at http://intranet.test, behind a proxy that writes ports', () => run('http://intranet.test', startPortProxy));
}
if (hasChromium && hasNginx) {
  walk('at https://example.org, behind the guide’s nginx', () =>
    run('https://example.org', async (port) => {
      const proxy = await startNginx([port]);
      return { rules: `MAP example.org:443 127.0.0.1:${proxy.port}`, end: proxy.end };
    }),
  );
} else {
  process.stdout.write('skipped: behind the guide’s nginx in Chromium (needs nginx, openssl and Chromium)\n');
}

walk.run();
