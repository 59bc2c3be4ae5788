import type { Listener } from '../core/bus.ts';
import { addFollower } from './add-follower.ts';
import type { AfterOptions, App } from './app.ts';
import { addCommitted } from './committed.ts';
import type { Draft } from './draft.ts';
import type { Registrar } from './registrar.ts';
import { runTransaction, takeLock } from './work.ts';

interface OwnCodeOptions {
  readonly draft: Draft;
  /** `file:line` of the calling project code. */
  readonly place: () => string | undefined;
  readonly register: Registrar['register'];
  readonly app: () => App;
}

/** The part of an {@link App} by which project code takes part in Treadle's own changes. */
export function createOwnCode({
  draft,
  place,
  register,
  app,
}: OwnCodeOptions): Pick<App, 'after' | 'committed' | 'transaction' | 'lock'> {
  return {
    after(event: string | RegExp, first: AfterOptions | Listener, second?: Listener) {
      const [options, listener] = typeof first === 'function' ? [{}, first] : [first, second];
      const added = addFollower(draft, { event, options, listener, place: place() });
      register(String(event), added, 0, 'after');
      return app();
    },
    committed(event, name, listener, options = {}) {
      addCommitted(draft, { event, name, listener, options, place: place() });
      register(String(event), listener as unknown as Listener, 0, 'committed');
      return app();
    },
    transaction: (fn, options = {}) => runTransaction(draft, fn, { ...options, place: place() }),
    lock: (key) => takeLock(draft, key),
  };
}

/** @see App.query */
export function findReader(draft: Draft): App['query'] {
  const { services, watching } = draft.context();
  watching.noteRead();
  return services.database.reader as unknown as App['query'];
}
