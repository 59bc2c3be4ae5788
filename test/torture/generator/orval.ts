import { type Answer, run } from './_steps.ts';
import { userBatch, userThingCreate, userThingDetail, userThingSearch, userThingUpdate, userUpload } from './api.ts';

const toAnswer = (got: { data: unknown; status: number; headers: Headers }): Answer => ({ ...got, body: got.data });

await run(({ token }) => {
  const authorization = `Bearer ${token}`;
  return {
    filter: async (least, names) =>
      toAnswer(
        await userThingSearch(
          { 'filter[thing_number][gte]': least, 'filter[thing_name][in]': names, sort: ['-thing_number'] },
          { headers: { authorization } },
        ),
      ),
    related: async (start) =>
      toAnswer(await userThingSearch({ 'filter[label.label_title][starts]': start }, { headers: { authorization } })),
    page: async (after) =>
      toAnswer(await userThingSearch({ limit: 2, ...(after ? { after } : {}) }, { headers: { authorization } })),
    create: async (values, key) =>
      toAnswer(
        await userThingCreate(values, { headers: { authorization, ...(key ? { 'Idempotency-Key': key } : {}) } }),
      ),
    detail: async (id) => toAnswer(await userThingDetail(id, undefined, { headers: { authorization } })),
    update: async (id, values, ifMatch) =>
      toAnswer(await userThingUpdate(id, values, { headers: { authorization, 'If-Match': ifMatch } })),
    upload: async (file) => toAnswer(await userUpload({ file }, { headers: { authorization } })),
    batch: async (items) => toAnswer(await userBatch(items, { headers: { authorization } })),
  };
});
