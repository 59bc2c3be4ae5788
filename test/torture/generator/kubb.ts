import { axiosInstance, setConfig } from '@kubb/plugin-client/clients/axios';
import { AxiosHeaders, type AxiosResponse } from 'axios';
import { type Answer, run } from './_steps.ts';
import {
  userBatch,
  userThingCreate,
  userThingDetail,
  userThingSearch,
  userThingUpdate,
  userUpload,
} from './api/index.ts';

/** The tool gives the body only, so an interceptor keeps the last answer. */
const last: { answer: Answer } = { answer: { status: 0, body: undefined, headers: new Headers() } };

function keep(response: AxiosResponse): AxiosResponse {
  const headers = new Headers(new AxiosHeaders(response.headers as AxiosHeaders).toJSON() as Record<string, string>);
  last.answer = { status: response.status, body: response.data, headers };
  return response;
}

async function toAnswer(got: Promise<unknown>): Promise<Answer> {
  await got;
  return last.answer;
}

await run(({ base, token }) => {
  axiosInstance.defaults.validateStatus = () => true;
  axiosInstance.interceptors.response.use(keep);
  setConfig({ baseURL: base, headers: { authorization: `Bearer ${token}` } });
  return {
    filter: (least, names) =>
      toAnswer(
        userThingSearch({
          'filter[thing_number][gte]': least,
          'filter[thing_name][in]': names,
          sort: ['-thing_number'],
        }),
      ),
    related: (start) => toAnswer(userThingSearch({ 'filter[label.label_title][starts]': start })),
    page: (after) => toAnswer(userThingSearch({ limit: 2, ...(after ? { after } : {}) })),
    create: (values, key) => toAnswer(userThingCreate(values, key ? { 'Idempotency-Key': key } : {})),
    detail: (id) => toAnswer(userThingDetail(id)),
    update: (id, values, ifMatch) => toAnswer(userThingUpdate(id, values, { 'If-Match': ifMatch })),
    upload: (file) => toAnswer(userUpload({ file })),
    batch: (items) => toAnswer(userBatch(items)),
  };
});
