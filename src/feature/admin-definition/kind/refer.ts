import type { Row } from '../../../database/row-statement.ts';
import type { Definitions } from '../../../model/definitions.ts';
import { printPath } from '../../../model/json/json-text.ts';
import { findReferences } from '../../../model/removal/reference.ts';
import { KINDS, type Kind } from './control.ts';
import { toPath } from './page.ts';

/** What other definitions say of one, as lines of a page. */
export function listReferences(definitions: Definitions, kind: Kind, name: string): Row[] {
  return findReferences(definitions, { kind, name }).map((reference) => {
    const of = KINDS.find((each) => each === reference.kind);
    return {
      file: `${reference.file}:${reference.line}`,
      path: printPath(reference.path),
      ...(of === undefined ? {} : { href: toPath(of, 'detail', reference.name) }),
    };
  });
}
