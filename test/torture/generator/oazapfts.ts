import { type Answer, run } from './_steps.ts';
import {
  defaults,
  userBatch,
  userThingCreate,
  userThingDetail,
  userThingSearch,
  userThingUpdate,
  userUpload,
} from './api.ts';

/** The tool gives no headers, so its fetch keeps those of the last answer. */
const last: { headers: Headers } = { headers: new Headers() };

const toAnswer = (got: { status: number; data?: unknown }): Answer => ({
  status: got.status,
  body: got.data,
  headers: last.headers,
});

await run(({ base, token }) => {
  Object.assign(defaults, {
    baseUrl: base,
    headers: { authorization: `Bearer ${token}` },
    async fetch(...given: Parameters<typeof fetch>) {
      const response = await fetch(...given);
      last.headers = response.headers;
      return response;
    },
  });
  return {
    filter: async (least, names) =>
      toAnswer(
        await userThingSearch({ filterThingNumberGte: least, filterThingNameIn: names, sort: ['-thing_number'] }),
      ),
    related: async (start) => toAnswer(await userThingSearch({ filterLabelLabelTitleStarts: start })),
    page: async (after) => toAnswer(await userThingSearch({ limit: 2, ...(after ? { after } : {}) })),
    create: async (values, key) => toAnswer(await userThingCreate(values, key ? { idempotencyKey: key } : {})),
    detail: async (id) => toAnswer(await userThingDetail(id, {})),
    update: async (id, values, ifMatch) => toAnswer(await userThingUpdate(id, values, { ifMatch })),
    upload: async (file) => toAnswer(await userUpload({ file })),
    batch: async (items) => toAnswer(await userBatch(items)),
  };
});
