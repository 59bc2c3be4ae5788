import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Browser, type Site, startBlog } from '../../e2e/_setup.ts';

export interface RoleFile {
  readonly slug: string;
  readonly permissions: readonly string[];
  readonly data?: unknown;
}

export function writeFile(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** Writes roles; a permission is `method:path`. */
export function writeRoles(root: string, roles: readonly RoleFile[]): void {
  for (const { slug, permissions, data } of roles) {
    const parsed = permissions.map((text) => {
      const [method, path] = text.split(/:(.*)/s);
      return { method, path };
    });
    const role = { slug, name: slug, permissions: parsed, ...(data === undefined ? {} : { data }) };
    writeFile(root, `config/role/${slug}.json`, `${JSON.stringify(role, null, 2)}\n`);
  }
}

/** Adds a controller to the project's package. */
export function addController(root: string, name: string, text: string): void {
  writeFile(root, `app/www/src/controller/${name}.ts`, text);
  const include = join(root, 'app/www/.treadle.ts');
  const lines = readFileSync(include, 'utf8').replace(/export default \[/, `export default [${name}, `);
  writeFileSync(include, `import ${name} from './src/controller/${name}';\n${lines}`);
}

const PASSWORD = 'a long enough word';

/** A logged-in user with these roles. */
export async function logIn(site: Site, name: string, roles: readonly string[]): Promise<Browser> {
  const made = await site.app.emit('auth-create', {
    auth_slug: `${name}@example.org`,
    auth_password: PASSWORD,
    profile_name: name,
    auth_active: 1,
    auth_verified: 1,
    auth_type: roles.join(','),
  });
  if (made.isError()) throw new Error(String(made));
  const browser = site.browser();
  await browser.post('/auth/login', { auth_slug: `${name}@example.org`, auth_password: PASSWORD });
  return browser;
}

export const startRoles = (roles: readonly RoleFile[], prepare: (root: string) => void = () => {}): Promise<Site> =>
  startBlog(
    async (root) => {
      writeRoles(root, roles);
      prepare(root);
    },
    { mode: 'test' },
  );
