import { translate } from '../../../core/text/translate.ts';
import { type Proposal, proposeRemoval, proposeRename } from '../../../edit/proposal.ts';
import { KIND_WORDS } from '../../../model/kind-words.ts';
import { renameDefinition } from '../../../model/rename/rename.ts';
import { toFile } from '../../../model/shape.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { toEditedProject } from '../edited.ts';
import { renderOutcome, toStatus } from '../outcome.ts';
import { toState } from '../save.ts';
import { type Outcome, readSubmission, submit } from '../submit.ts';
import { findWriteRefusal } from '../write-right.ts';
import type { FormFacts, Kind } from './control.ts';
import { findNameError } from './draft.ts';
import { findNamed, readFacts, showKind, toPath } from './page.ts';
import { type FormValues, toText } from './read-form.ts';
import { listReferences } from './refer.ts';

interface RemoveView {
  readonly kind: Kind;
  readonly name: string;
  readonly facts: FormFacts;
  readonly outcome?: Outcome;
}

const readPosted = ({ request }: Exchange): FormValues => request.getPost() as FormValues;

/** What remains after a removal or a rename, outside of the files. */
const toNotes = (kind: Kind): readonly string[] => {
  const notes: Readonly<Record<Kind, readonly string[]>> = {
    rest: [],
    scope: [translate('Tokens and apps that were registered in the browser still name the scope.')],
    webhook: [],
    app: [translate('Without its file the app is suspended; its row, consents and tokens stay.')],
    role: [translate('Users who hold the role lose what it opened.')],
  };
  return notes[kind];
};

async function showRemoval(
  context: Context,
  exchange: Exchange,
  { kind, name, facts, outcome }: RemoveView,
): Promise<void> {
  const posted = readPosted(exchange);
  const references = listReferences(facts.definitions, kind, name);
  exchange.response.setStatus(toStatus(outcome));
  showKind(context, exchange, {
    kind,
    name: 'remove',
    title: translate('Remove {name}', { name }),
    of: name,
    data: {
      id: name,
      file: toFile(kind, name),
      base: toText(posted.base) || toState(facts.definitions[kind].get(name)?.text),
      root: toPath(kind, 'remove', name),
      cancel: toPath(kind, 'detail', name),
      references,
      isCascade: toText(posted.cascade) === '1',
      notes: toNotes(kind),
      refusal: await findWriteRefusal(context, kind),
      outcome: renderOutcome(context, exchange, { outcome, submission: readSubmission(posted) }),
    },
  });
}

export const openRemove =
  (kind: Kind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const facts = await readFacts(context);
    const found = findNamed(context, exchange, facts, kind);
    if (found !== undefined) await showRemoval(context, exchange, { kind, name: found.name, facts });
  };

/** Removes a definition, with what names it if that is asked for. */
export const postRemove =
  (kind: Kind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const facts = await readFacts(context);
    const found = findNamed(context, exchange, facts, kind);
    if (found === undefined) return;
    const { name } = found;
    const posted = readPosted(exchange);
    const isCascade = toText(posted.cascade) === '1';
    const file = toFile(kind, name);
    const propose = (): Promise<Proposal> =>
      proposeRemoval(toEditedProject(context.services), {
        definitions: facts.definitions,
        target: { kind, name },
        words: `the ${KIND_WORDS[kind].one} "${name}"`,
        isCascade,
      });
    const title = translate('Removed {file}', { file });
    const outcome = await submit(context, { by: exchange, submission: readSubmission(posted), title, file, propose });
    if (outcome.state === 'unproven') return;
    if (outcome.state !== 'saved') return showRemoval(context, exchange, { kind, name, facts, outcome });
    flash(exchange, translate('Removed {file}.', { file }));
    exchange.response.setRedirect(toPath(kind, 'search'));
  };

interface RenameView extends RemoveView {
  readonly to: string;
  readonly fault?: string | undefined;
}

async function showRename(context: Context, exchange: Exchange, { kind, name, facts, outcome, to, fault }: RenameView) {
  const posted = readPosted(exchange);
  exchange.response.setStatus(fault === undefined ? toStatus(outcome) : 422);
  showKind(context, exchange, {
    kind,
    name: 'rename',
    title: translate('Rename {name}', { name }),
    of: name,
    data: {
      id: name,
      to,
      fault,
      root: toPath(kind, 'rename', name),
      cancel: toPath(kind, 'detail', name),
      references: listReferences(facts.definitions, kind, name),
      isWithCode: toText(posted.code) === '1',
      notes: kind === 'rest' || kind === 'webhook' || kind === 'app' ? [] : toNotes(kind),
      refusal: await findWriteRefusal(context, kind),
      outcome: renderOutcome(context, exchange, { outcome, submission: readSubmission(posted) }),
    },
  });
}

export const openRename =
  (kind: Kind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const facts = await readFacts(context);
    const found = findNamed(context, exchange, facts, kind);
    if (found !== undefined) await showRename(context, exchange, { kind, name: found.name, facts, to: found.name });
  };

/** Renames a definition, in every list that names it. */
export const postRename =
  (kind: Kind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const facts = await readFacts(context);
    const found = findNamed(context, exchange, facts, kind);
    if (found === undefined) return;
    const { name } = found;
    const posted = readPosted(exchange);
    const to = toText(posted.to).trim();
    const error = findNameError(kind, to, facts);
    if (error !== undefined) return showRename(context, exchange, { kind, name, facts, to, fault: error });
    const moved = { kind, from: name, to };
    const propose = (): Promise<Proposal> =>
      proposeRename(toEditedProject(context.services), {
        definitions: facts.definitions,
        renamed: renameDefinition(facts.definitions, moved),
        moved,
        isWithCode: toText(posted.code) === '1',
      });
    const title = translate('Renamed {file} to {to}', { file: toFile(kind, name), to: toFile(kind, to) });
    const outcome = await submit(context, { by: exchange, submission: readSubmission(posted), title, propose });
    if (outcome.state === 'unproven') return;
    if (outcome.state !== 'saved') return showRename(context, exchange, { kind, name, facts, to, outcome });
    flash(exchange, translate('Renamed to {to}.', { to }));
    exchange.response.setRedirect(toPath(kind, 'detail', to));
  };
