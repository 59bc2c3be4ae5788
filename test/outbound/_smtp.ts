import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Pair } from './_certificates.ts';

/** A mail that a server took. */
export interface Taken {
  readonly from: string;
  readonly to: readonly string[];
  /** Head and body as they came. */
  readonly raw: string;
  readonly isSecure: boolean;
  readonly user: string | undefined;
}

export interface SmtpOptions {
  readonly tls?: Pair;
  /** TLS from the first byte. */
  readonly isSecure?: boolean;
  /** Asks for a login, and takes this password. */
  readonly password?: string;
  /** Reply code for a recipient; undefined takes it. */
  readonly refuse?: (recipient: string) => number | undefined;
}

export interface Smtp {
  readonly port: number;
  readonly taken: readonly Taken[];
  close(): Promise<void>;
}

const toError = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode });

/** A real SMTP server on a free port of this machine. */
export async function startSmtp(options: SmtpOptions = {}): Promise<Smtp> {
  const taken: Taken[] = [];
  const { tls, isSecure = false, password, refuse = () => undefined } = options;
  const settings: SMTPServerOptions = {
    secure: isSecure,
    ...(tls ? { key: tls.key, cert: tls.cert } : {}),
    authOptional: password === undefined,
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(password === undefined ? ['AUTH'] : [])],
    // With TLS the server itself refuses a login before STARTTLS; without it a test sees whether one was tried.
    allowInsecureAuth: tls === undefined,
    onAuth({ username, password: given }, _session, done) {
      if (given === password) done(null, { user: username });
      else done(toError(535, 'Wrong password'));
    },
    onRcptTo({ address }, _session, done) {
      const code = refuse(address);
      done(code === undefined ? null : toError(code, `${address} is not here`));
    },
    onData(stream, { envelope, secure, user }, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        taken.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(parts).toString('utf8'),
          isSecure: secure,
          user: user === undefined ? undefined : String(user),
        });
        done();
      });
    },
  };
  const server = new SMTPServer(settings);
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    port: (server.server.address() as AddressInfo).port,
    taken,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
