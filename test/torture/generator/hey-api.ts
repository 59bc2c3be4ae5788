import { type Answer, run } from './_steps.ts';
import { client } from './api/client.gen.ts';
import {
  userBatch,
  userThingCreate,
  userThingDetail,
  userThingSearch,
  userThingUpdate,
  userUpload,
} from './api/index.ts';

const toAnswer = (got: { data?: unknown; error?: unknown; response?: Response }): Answer => ({
  status: got.response?.status ?? 0,
  body: got.data ?? got.error,
  headers: got.response?.headers ?? new Headers(),
});

await run(({ base, token }) => {
  // The tool sends the token by each scheme that the document offers.
  client.setConfig({ baseUrl: base, auth: (scheme) => (scheme.in === 'query' ? undefined : token) });
  return {
    filter: async (least, names) =>
      toAnswer(
        await userThingSearch({
          query: { 'filter[thing_number][gte]': least, 'filter[thing_name][in]': names, sort: ['-thing_number'] },
        }),
      ),
    related: async (start) =>
      toAnswer(await userThingSearch({ query: { 'filter[label.label_title][starts]': start } })),
    page: async (after) => toAnswer(await userThingSearch({ query: { limit: 2, ...(after ? { after } : {}) } })),
    create: async (values, key) =>
      toAnswer(await userThingCreate({ body: values, headers: key ? { 'Idempotency-Key': key } : {} })),
    detail: async (id) => toAnswer(await userThingDetail({ path: { thing_id: id } })),
    update: async (id, values, ifMatch) =>
      toAnswer(await userThingUpdate({ path: { thing_id: id }, body: values, headers: { 'If-Match': ifMatch } })),
    upload: async (file) => toAnswer(await userUpload({ body: { file } })),
    batch: async (items) => toAnswer(await userBatch({ body: items })),
  };
});
