import axios, { AxiosHeaders, type AxiosResponse } from 'axios';
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
  axios.defaults.validateStatus = () => true;
  axios.interceptors.response.use(keep);
  const config = { baseURL: base, headers: { authorization: `Bearer ${token}` } };
  return {
    filter: (least, names) =>
      toAnswer(
        userThingSearch(
          { 'filter[thing_number][gte]': least, 'filter[thing_name][in]': names, sort: ['-thing_number'] },
          undefined,
          config,
        ),
      ),
    related: (start) => toAnswer(userThingSearch({ 'filter[label.label_title][starts]': start }, undefined, config)),
    page: (after) => toAnswer(userThingSearch({ limit: 2, ...(after ? { after } : {}) }, undefined, config)),
    create: (values, key) => toAnswer(userThingCreate(values, key ? { 'Idempotency-Key': key } : {}, config)),
    detail: (id) => toAnswer(userThingDetail(id, {}, {}, config)),
    update: (id, values, ifMatch) => toAnswer(userThingUpdate(id, values, { 'If-Match': ifMatch }, config)),
    upload: (file) => toAnswer(userUpload({ file }, {}, config)),
    batch: (items) => toAnswer(userBatch(items, {}, config)),
  };
});
