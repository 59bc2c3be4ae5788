import { type Answer, run } from './_steps.ts';
import { Api } from './api.ts';

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly data?: unknown;
  readonly error?: unknown;
}

/** The tool throws what is not 2xx. */
const toAnswer = async (got: Promise<Got>): Promise<Answer> => {
  const { status, headers, data, error } = await got.catch((thrown: Got) => thrown);
  return { status, headers, body: data ?? error };
};

await run(({ base, token }) => {
  const { rest } = new Api({
    baseUrl: base,
    securityWorker: () => ({ headers: { authorization: `Bearer ${token}` } }),
  });
  return {
    filter: (least, names) =>
      toAnswer(
        rest.userThingSearch({
          'filter[thing_number][gte]': least,
          'filter[thing_name][in]': names,
          sort: ['-thing_number'],
        }),
      ),
    related: (start) => toAnswer(rest.userThingSearch({ 'filter[label.label_title][starts]': start })),
    page: (after) => toAnswer(rest.userThingSearch({ limit: 2, ...(after ? { after } : {}) })),
    create: (values, key) => toAnswer(rest.userThingCreate(values, key ? { headers: { 'Idempotency-Key': key } } : {})),
    detail: (id) => toAnswer(rest.userThingDetail(id)),
    update: (id, values, ifMatch) => toAnswer(rest.userThingUpdate(id, values, { headers: { 'If-Match': ifMatch } })),
    upload: (file) => toAnswer(rest.userUpload({ file })),
    batch: (items) => toAnswer(rest.userBatch(items)),
  };
});
