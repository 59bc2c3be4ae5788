import { readFileSync } from 'node:fs';
import { AxiosHeaders, type AxiosResponse } from 'axios';
import { OpenAPIClientAxios } from 'openapi-client-axios';
import { type Answer, run } from './_steps.ts';

const toAnswer = ({ status, data, headers }: AxiosResponse): Answer => ({
  status,
  body: data,
  headers: new Headers(new AxiosHeaders(headers as AxiosHeaders).toJSON() as Record<string, string>),
});

const definition = JSON.parse(readFileSync(process.argv[4] ?? '', 'utf8'));
const config = { validateStatus: () => true };

await run(({ base, token }) => {
  const api = new OpenAPIClientAxios({
    definition,
    axiosConfigDefaults: { ...config, baseURL: base, headers: { authorization: `Bearer ${token}` } },
  });
  const client = api.getClient();
  /** The tool finds a call by its id, and its parameters by their names. */
  const call = async (id: string, parameters: object, body?: unknown, headers: Record<string, string> = {}) => {
    const made = (await client)[id];
    if (made === undefined) throw new Error(`${id} is not a call.`);
    return toAnswer(await made(parameters as Record<string, string>, body, { headers }));
  };
  return {
    filter: (least, names) =>
      call('user-thing-search', {
        'filter[thing_number][gte]': least,
        'filter[thing_name][in]': names.join(','),
        sort: '-thing_number',
      }),
    related: (start) => call('user-thing-search', { 'filter[label.label_title][starts]': start }),
    page: (after) => call('user-thing-search', { limit: 2, ...(after ? { after } : {}) }),
    create: (values, key) => call('user-thing-create', {}, values, key ? { 'Idempotency-Key': key } : {}),
    detail: (id) => call('user-thing-detail', { thing_id: id }),
    update: (id, values, ifMatch) => call('user-thing-update', { thing_id: id }, values, { 'If-Match': ifMatch }),
    upload(file) {
      const form = new FormData();
      form.set('file', file);
      return call('user-upload', {}, form);
    },
    batch: (items) => call('user-batch', {}, items),
  };
});
