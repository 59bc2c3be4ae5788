import createClient from 'openapi-fetch';
import { type Answer, run } from './_steps.ts';
import type { paths } from './api.ts';

const toAnswer = (got: { data?: unknown; error?: unknown; response: Response }): Answer => ({
  status: got.response.status,
  body: got.data ?? got.error,
  headers: got.response.headers,
});

await run(({ base, token }) => {
  const client = createClient<paths>({ baseUrl: base, headers: { authorization: `Bearer ${token}` } });
  return {
    filter: async (least, names) =>
      toAnswer(
        await client.GET('/rest/user/thing/search', {
          params: {
            query: { 'filter[thing_number][gte]': least, 'filter[thing_name][in]': names, sort: ['-thing_number'] },
          },
        }),
      ),
    related: async (start) =>
      toAnswer(
        await client.GET('/rest/user/thing/search', {
          params: { query: { 'filter[label.label_title][starts]': start } },
        }),
      ),
    page: async (after) =>
      toAnswer(
        await client.GET('/rest/user/thing/search', { params: { query: { limit: 2, ...(after ? { after } : {}) } } }),
      ),
    create: async (values, key) =>
      toAnswer(
        await client.POST('/rest/user/thing/create', {
          params: { header: key ? { 'Idempotency-Key': key } : {} },
          body: values,
        }),
      ),
    detail: async (id) =>
      toAnswer(await client.GET('/rest/user/thing/detail/{thing_id}', { params: { path: { thing_id: id } } })),
    update: async (id, values, ifMatch) =>
      toAnswer(
        await client.PATCH('/rest/user/thing/update/{thing_id}', {
          params: { path: { thing_id: id }, header: { 'If-Match': ifMatch } },
          body: values,
        }),
      ),
    upload: async (file) =>
      toAnswer(
        await client.POST('/rest/user/upload', {
          // The tool types a binary as text, and leaves the form to its user.
          body: { file: file as unknown as string },
          bodySerializer() {
            const form = new FormData();
            form.set('file', file);
            return form;
          },
        }),
      ),
    batch: async (items) => toAnswer(await client.POST('/rest/user/batch', { body: items })),
  };
});
