import type { Project } from '../../project.ts';

export interface RoleFile {
  readonly slug: string;
  readonly permissions: readonly string[];
  readonly data?: unknown;
}

/** Writes roles; a permission is `method:path`. */
export function writeRoles(project: Project, roles: readonly RoleFile[]): void {
  for (const { slug, permissions, data } of roles) {
    const parsed = permissions.map((text) => {
      const [method, path] = text.split(/:(.*)/s);
      return { method, path };
    });
    const role = { slug, name: slug, permissions: parsed, ...(data === undefined ? {} : { data }) };
    project.write(`config/role/${slug}.json`, role);
  }
}

/** Writes roles that have rules for data only. */
export const writeRules = (project: Project, rules: Readonly<Record<string, unknown>>): void =>
  writeRoles(
    project,
    Object.entries(rules).map(([slug, data]) => ({ slug, permissions: [], data })),
  );
