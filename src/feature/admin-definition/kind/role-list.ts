import { translate } from '../../../core/text/translate.ts';
import { ADMIN, APP, GUEST, USER } from '../../../model/role/role.ts';
import type { FormFacts } from './control.ts';
import { toPath } from './page.ts';
import { badge, code, type ListRow } from './piece.ts';

/** What the built-in roles mean. */
export const toBuiltIn = (slug: string): string | undefined => {
  if (slug === GUEST) return translate('Everybody holds it, visitors and public calls too.');
  if (slug === USER) return translate('Everybody who is logged in holds it.');
  if (slug === APP) return translate('Every app call holds it.');
  return slug === ADMIN
    ? translate('Opens the whole admin section, and reaches every row. It needs no file.')
    : undefined;
};

/** Roles with a file, and the built-in ones. */
export function listRoleRows({ definitions }: FormFacts) {
  const built = [ADMIN, GUEST, USER, APP].filter((slug) => !definitions.role.has(slug));
  const files = [...definitions.role].map(([slug, { value }]): ListRow => {
    const { name, permissions, data = {}, secondFactor } = value;
    return {
      href: toPath('role', 'detail', slug),
      title: name,
      name: slug,
      cells: [
        permissions.map(({ method, path }) => code(`${method} ${path}`)),
        Object.keys(data).map(code),
        [
          ...(toBuiltIn(slug) === undefined ? [] : [badge(translate('built in'))]),
          ...(secondFactor === 'required' ? [badge(translate('second factor'), 't-badge-info')] : []),
        ],
      ],
    };
  });
  const others = built.map(
    (slug): ListRow => ({
      href: toPath('role', 'detail', slug),
      title: slug,
      name: translate('no file'),
      cells: [slug === ADMIN ? [code('all /admin/**')] : [], [], [badge(translate('built in'))]],
    }),
  );
  const head = [translate('Role'), translate('Permissions'), translate('Row rules for'), translate('Remarks')];
  return { head, rows: [...files, ...others] };
}
