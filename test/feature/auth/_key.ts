import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Answer, Client } from '../../client.ts';

const hash = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();
const toText = (bytes: Buffer): string => bytes.toString('base64url');

/** A byte string in CBOR. @see RFC 8949 section 3.1 */
const toBytes = (bytes: Buffer): Buffer =>
  Buffer.concat([
    bytes.length < 256 ? Buffer.from([0x58, bytes.length]) : Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]),
    bytes,
  ]);

export interface Use {
  readonly origin: string;
  readonly rpId?: string;
  /** Whether the user typed a PIN or the like. Default true. */
  readonly isVerified?: boolean;
  /** Signature counter. Default 0: the key has none. */
  readonly counter?: number;
  readonly handle?: string;
}

/** A security key in software: ES256, attestation `none`. It does what it is told, so it can lie. */
export class Key {
  readonly id = randomBytes(32);
  readonly #private: KeyObject;
  readonly #cose: Buffer;
  handle = '';

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#private = privateKey;
    const head = Buffer.from('a5010203262001', 'hex');
    const part = (tag: number, text: string): Buffer =>
      Buffer.concat([Buffer.from([tag]), toBytes(Buffer.from(text, 'base64url'))]);
    this.#cose = Buffer.concat([head, part(0x21, x), part(0x22, y)]);
  }

  #client(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #data({ rpId = 'localhost', isVerified = true, counter = 0 }: Use, extra = 0): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([hash(rpId), Buffer.from([1 | (isVerified ? 4 : 0) | extra]), count]);
  }

  /** The answer to options for a new passkey, as JSON. */
  create(options: { challenge: string; user: { id: string } }, use: Use): string {
    this.handle = options.user.id;
    const length = Buffer.from([this.id.length >> 8, this.id.length & 255]);
    const data = Buffer.concat([this.#data(use, 0x40), Buffer.alloc(16), length, this.id, this.#cose]);
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      toBytes(data),
    ]);
    const clientDataJSON = toText(this.#client('webauthn.create', options.challenge, use.origin));
    const response = { clientDataJSON, attestationObject: toText(attestation), transports: ['usb'] };
    return JSON.stringify({ id: toText(this.id), rawId: toText(this.id), type: 'public-key', response });
  }

  /** The answer to options for a login, as JSON. */
  get(options: { challenge: string }, use: Use): string {
    const client = this.#client('webauthn.get', options.challenge, use.origin);
    const data = this.#data(use);
    const signature = sign('sha256', Buffer.concat([data, hash(client)]), this.#private);
    const response = {
      clientDataJSON: toText(client),
      authenticatorData: toText(data),
      signature: toText(signature),
      userHandle: use.handle ?? this.handle,
    };
    return JSON.stringify({ id: toText(this.id), rawId: toText(this.id), type: 'public-key', response });
  }
}

export interface Options {
  readonly state: string;
  // biome-ignore lint/suspicious/noExplicitAny: options are passed on as they come.
  readonly options: any;
}

export async function readOptions(browser: Client, purpose: 'login' | 'step' | 'create'): Promise<Options> {
  return (await browser.post('/auth/passkey/options', { purpose })).json();
}

/** Adds a key to the account of the browser. */
export async function addKey(browser: Client, use: Use, name = 'Key'): Promise<{ key: Key; page: Answer }> {
  const key = new Key();
  const { options, state } = await readOptions(browser, 'create');
  const page = await browser.post('/auth/passkey', { name, state, credential: key.create(options, use) });
  return { key, page };
}

/** Logs in with a key, without a password. */
export async function useKey(browser: Client, key: Key, use: Use): Promise<Answer> {
  const { options, state } = await readOptions(browser, 'login');
  return browser.post('/auth/passkey', { action: 'login', state, credential: key.get(options, use) });
}
