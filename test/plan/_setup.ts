import { findPlanProblems } from '../../src/check/plan.ts';
import { systemClock, systemRandom } from '../../src/core/clock.ts';
import type { Problem } from '../../src/core/errors.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { Memory } from '../../src/core/memory.ts';
import { Request } from '../../src/core/request/request.ts';
import { Response } from '../../src/core/request/response.ts';
import { createPasswords } from '../../src/core/secret/password.ts';
import { createRootSecret } from '../../src/core/secret/secret.ts';
import { SlowReads } from '../../src/database/load/slow-reads.ts';
import type { Model } from '../../src/model/model.ts';
import { Settings } from '../../src/model/shape.ts';
import { activatePlan } from '../../src/plan/activate.ts';
import type { App, Package } from '../../src/plan/app.ts';
import { type CompiledPlan, compilePlan } from '../../src/plan/compile.ts';
import { createDraft, type Draft } from '../../src/plan/draft.ts';
import { createFacade, type MakePackage } from '../../src/plan/facade.ts';
import type { Context, Feature, Services } from '../../src/plan/feature.ts';
import { CHEAP_COST } from '../../src/testing/people.ts';

export function emptyModel(changes: Partial<Model> = {}): Model {
  const none = new Map();
  return {
    settings: Settings.parse({}),
    schemas: none,
    fieldsets: none,
    calls: none,
    scopes: none,
    hooks: none,
    apps: none,
    roles: none,
    ...changes,
  };
}

/** Calls to a fake database, in order: `begin`, `commit`, `rollback`. */
export function fakeServices(journal: string[] = []): Services {
  const never = () => {
    throw new Error('not part of this test');
  };
  const database = {
    dialect: 'sqlite' as const,
    isInTransaction: false,
    async transaction<T>(fn: () => Promise<T>): Promise<T> {
      journal.push('begin');
      try {
        const value = await fn();
        journal.push('commit');
        return value;
      } catch (error) {
        journal.push('rollback');
        throw error;
      }
    },
  };
  return {
    memory: new Memory(),
    database: database as unknown as Services['database'],
    slowReads: new SlowReads(),
    clock: systemClock,
    random: systemRandom,
    passwords: createPasswords(systemRandom, CHEAP_COST),
    log: silentLog,
    secret: createRootSecret('test', systemRandom),
    outbound: { send: never, judge: never },
    mailer: { way: 'none', send: never },
    operation: {} as Services['operation'],
    providerSecret: () => undefined,
    sessions: {
      renew() {},
      end() {},
      async endAll() {},
      list: async () => [],
      endOne: async () => false,
      formToken: () => 'form-token',
    },
    views: { render: (feature, name) => `${feature}/${name}`, renderMail: () => undefined },
    limiter: { take: () => ({ isAllowed: true, left: 1, retrySeconds: 0 }) },
    files: {
      save: never,
      receive: never,
      open: never,
      remove: never,
      list: never,
      clearDrafts: never,
      readId: never,
      makeId: never,
    },
    metrics: { read: () => Promise.reject(new Error('not here')), isToken: () => false },
    root: '/',
    fail() {},
    reload: () => Promise.resolve([]),
    compile: () => Promise.resolve({ plan: undefined, problems: [] }),
    describeApi: () => ({}),
    baseUrl: () => 'http://127.0.0.1:3000',
  };
}

export interface Built {
  readonly app: App;
  readonly www: App & Package;
  readonly draft: Draft;
  readonly makePackage: MakePackage;
  readonly journal: string[];
  compile(): { plan: CompiledPlan; problems: Problem[] };
  activate(): Context;
}

/** An app with a model and features, and a fake database that records its calls. */
export function build(options: { model?: Model; features?: readonly Feature[] } = {}): Built {
  const draft = createDraft();
  const model = options.model ?? emptyModel();
  const journal: string[] = [];
  const view = (folder: string, name: string, data: object): string => `${folder}/${name} ${JSON.stringify(data)}`;
  const { app, makePackage } = createFacade({ draft, model, log: silentLog, view });
  const www = makePackage('/app/www', '/project/app/www');
  const compile = () => {
    const { plan, problems } = compilePlan({ model, draft, features: options.features ?? [], isDevelopment: true });
    return { plan, problems: [...problems, ...findPlanProblems(plan)] };
  };
  return {
    app,
    www,
    draft,
    makePackage,
    journal,
    compile,
    activate: () => activatePlan(compile().plan, fakeServices(journal)),
  };
}

export const pair = (): [Request, Response] => {
  const request = new Request();
  return [request, new Response(request)];
};
