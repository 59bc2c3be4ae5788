import { getAccess } from '../../../core/access.ts';
import { translate } from '../../../core/text/translate.ts';
import { toPlain } from '../../../model/format/format-text.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { openSchema } from './open.ts';
import { listViews, removeView, renameView, saveView, setDefaultView, type View, type ViewOwner } from './view-sql.ts';

/** Maximum views of one person for one list. */
const MOST_VIEWS = 50;
const NAME_CHARACTERS = 60;
const QUERY_CHARACTERS = 4000;

/** The person whose views a list shows; undefined for none. */
export function findViewOwner(schema: string): ViewOwner | undefined {
  const { authId } = getAccess();
  return authId === undefined ? undefined : { authId, schema };
}

/** Saves, renames or removes a view, or lets the list open with it. */
export async function postView(context: Context, exchange: Exchange): Promise<void> {
  const open = openSchema(context, exchange);
  const owner = open && findViewOwner(open.schema.name);
  if (open === undefined || owner === undefined) return;
  const { request, response } = exchange;
  const read = (name: string): string => toPlain(request.getPost(name)).trim();
  const query = read('query').slice(0, QUERY_CHARACTERS);
  const views = await listViews(context.services, owner);
  const message = await changeViews(context, owner, views, {
    action: read('action'),
    id: Number(read('view')),
    name: read('name').slice(0, NAME_CHARACTERS),
    query,
  });
  if (message !== undefined) flash(exchange, message.text, message.isError ? 'error' : 'success');
  response.setRedirect(`${open.base}/search?${query === '' ? 'all=1' : query}`);
}

interface ViewRequest extends Pick<View, 'id' | 'name' | 'query'> {
  readonly action: string;
}

interface ViewNotice {
  readonly text: string;
  readonly isError?: boolean;
}

async function changeViews(
  { services: { database } }: Context,
  owner: ViewOwner,
  views: readonly View[],
  { action, id, name, query }: ViewRequest,
): Promise<ViewNotice | undefined> {
  const isNaming = action === 'save' || action === 'rename';
  if (isNaming && name === '') return { text: translate('Give the view a name.'), isError: true };
  if (action === 'save') {
    const isNew = views.every((view) => view.name !== name);
    if (isNew && views.length >= MOST_VIEWS) {
      return {
        text: translate('A list has at most {most} views: remove one first.', { most: MOST_VIEWS }),
        isError: true,
      };
    }
    await saveView(database, owner, { name, query });
    return { text: translate('The view "{name}" was saved.', { name }) };
  }
  if (action === 'undefault') {
    await setDefaultView(database, owner, undefined);
    return { text: translate('The list opens with all rows again.') };
  }
  const view = views.find((known) => known.id === id);
  if (view === undefined) return { text: translate('This view is no longer there.'), isError: true };
  if (action === 'rename') {
    const isDone = await renameView(database, owner, id, name);
    return isDone
      ? { text: translate('The view is called "{name}" now.', { name }) }
      : { text: translate('There is a view "{name}" already.', { name }), isError: true };
  }
  if (action === 'default') {
    await setDefaultView(database, owner, id);
    return { text: translate('The list opens with "{name}" from now on.', { name: view.name }) };
  }
  if (action !== 'remove') return undefined;
  await removeView(database, owner, id);
  return { text: translate('The view "{name}" was removed.', { name: view.name }) };
}
