import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Pair {
  readonly key: string;
  readonly cert: string;
}

export interface Certificates {
  /** The authority of the others, except the self-signed one. */
  readonly authority: string;
  readonly good: Pair;
  readonly expired: Pair;
  readonly selfSigned: Pair;
}

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Certificates for a name, made with openssl; undefined if it is not installed. */
export function createCertificates(name: string): Certificates | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-tls-'));
  const at = (file: string): string => join(folder, file);
  const read = (file: string): string => readFileSync(at(file), 'utf8');
  const openssl = (...words: string[]): void => {
    execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
  };
  const subject = ['-subj', `/CN=${name}`];
  const sign = (file: string, ...validity: string[]): void =>
    openssl(
      ...['x509', '-req', '-in', 'leaf.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-set_serial', '2'],
      ...[...['-extfile', 'names', '-out', file], ...validity],
    );
  try {
    writeFileSync(at('names'), `subjectAltName=DNS:${name}`);
    const authority = ['-subj', '/CN=Authority', '-addext', 'basicConstraints=critical,CA:TRUE'];
    openssl('req', '-x509', ...CURVE, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', ...authority);
    openssl('req', ...CURVE, '-keyout', 'leaf.key', '-out', 'leaf.csr', ...subject);
    sign('good.pem', '-days', '2');
    try {
      sign('expired.pem', '-days', '-1');
    } catch {
      sign('expired.pem', '-not_before', '20200101000000Z', '-not_after', '20200102000000Z');
    }
    const own = ['-keyout', 'own.key', '-out', 'own.pem', '-days', '2', '-addext', `subjectAltName=DNS:${name}`];
    openssl('req', '-x509', ...CURVE, ...own, ...subject);
    const leaf = (file: string): Pair => ({ key: read('leaf.key'), cert: read(file) });
    return {
      authority: read('ca.pem'),
      good: leaf('good.pem'),
      expired: leaf('expired.pem'),
      selfSigned: { key: read('own.key'), cert: read('own.pem') },
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
