// Uses of handlers in a project with the file of `treadle types`, one a line. test/cli/types.test.ts compiles them.

/** Declared in the project whose types are made. */
export const EVENTS = `
import type { App } from 'treadle';
import * as z from 'zod';

export default function events(app: App) {
  const stage = { type: 'object', properties: { note_id: { type: 'integer' }, word: { type: 'string' } }, required: ['note_id'] };
  const results = { type: 'object', properties: { left: { type: 'integer' } }, required: ['left'] };
  app.event('note-count', { stage, results, description: 'Counts */ notes.' }, () => ({ left: 1 }));
  app.event('note-zod', { stage: z.object({ n: z.number() }), results: z.object({ twice: z.number() }) }, ({ n }) => ({ twice: 2 * n }));
  app.event('note-many', { stage: z.object({ n: z.coerce.number().min(1), on: z.coerce.boolean(), list: z.array(z.string()) }) }, ({ n }) => ({ n }));
  app.event('note-any', {}, (stage) => ({ ...stage }));
}
`;

/** Before the uses. */
export const HEAD = `
import type { App, Request, Response, ResultsOf, RowOf, StageOf, StandardSchema } from 'treadle';
import * as z from 'zod';

declare const app: App;
declare const own: StandardSchema<{ a: string }, { a: number }>;
declare const anyName: string;
const body = z.object({ seats: z.number(), mail: z.string().optional() });
const answer = z.object({ left: z.number() });
const call = { access: 'public', method: 'post', path: '/public/a/:talk_id' } as const;
const json = { type: 'object', properties: { seats: { type: 'integer' } } };
void [app, own, anyName, body, answer, call, json];
type Names = [Request, Response, ResultsOf<'note-any'>, RowOf<'note'>, StageOf<'note-any', string>];
export type { Names };
`;

/** What compiles. */
export const RIGHT: readonly string[] = [
  // The older form, where options came to stand for the new one.
  'app.rest({ ...call, body }, (request, response) => { response.setResults({ n: request.getStage("seats") }); });',
  'app.rest({ ...call, body, answer }, async (request, response) => { await app.emit("own", request, response); });',
  'app.after("system-model-create", { schema: "note" }, (request, response) => response.setResults("a", request.getPath()));',
  'app.after("system-model-create", {}, async (request, response) => { if (request.hasStage("a")) response.setError(true); });',
  // Events of Treadle.
  'const job = await app.emit("job-detail", { job_id: 7 }); const at: string | null | undefined = job.getResults("due"); void at;',
  'await app.emit("auth-update", { auth_id: 7, profile_name: "Ann" });',
  'await app.emit("job-search" as string, { anything: 1 });',
  // Calls.
  'app.rest({ ...call, body, answer }, ({ seats, talk_id, mail }) => ({ left: seats + talk_id.length + (mail ?? "").length }));',
  'app.rest({ ...call, body, answer }, async ({ seats }, { request, response }) => { response.addHeader("a", request.getMethod()); return { left: seats }; });',
  'app.rest({ ...call, body }, ({ seats }) => seats.toFixed());',
  'app.rest({ ...call, answer }, ({ talk_id }) => ({ left: talk_id.length }));',
  'app.rest({ ...call, body, answer }, ({ seats }, { response }) => { if (seats === 0) return response.refuse({ status: 409, message: "no" }); return { left: 1 }; });',
  'app.rest({ ...call, body, answer }, () => new globalThis.Response("a"));',
  'app.rest({ ...call, body, answer }, () => undefined);',
  'app.rest({ ...call, body: z.object({ data: z.string(), source: z.string(), part: z.number() }) }, ({ data, source, part }) => data + source + part.toFixed());',
  'app.rest({ ...call, answer }, (stage) => void [stage.data, stage.source, stage.part]);',
  'app.rest({ ...call, answer: z.object({ list: z.array(z.object({ tags: z.array(z.string()) })), at: z.date() }) }, () => { const list: readonly { readonly tags: readonly string[] }[] = []; return { list, at: new Date(0) }; });',
  'app.rest({ ...call, body: own, answer: own }, ({ a }) => ({ a: a.toFixed() }));',
  'app.rest({ ...call, access: "user", body }, ({ profile_id, seats }) => ({ sum: profile_id + seats }));',
  'app.rest({ ...call, body: json }, (stage) => ({ seats: Number(stage.seats) }));',
  'app.rest({ ...call, body, answer }, (request: Request, response: Response) => void response.setResults({ left: request.getStage("seats") }));',
  'app.rest({ ...call, body, answer }, async (request: Request) => { await app.reroute("get", request.getPath("string"), request, request.getStage() as never); });',
  'app.rest(call, (request, response) => response.setResults({ a: request.getStage("a") }));',
  'app.rest(call, async (request) => ({ a: request.getStage("a") }));',
  // Routes.
  'app.get("/a", () => ({ a: 1 }));',
  'app.get("/a", (request, response) => response.setContent(request.getMethod()), "note-any");',
  'app.get("/a/:one/b/:two", {}, ({ one, two }) => one + two);',
  'app.post("/a/:one", { stage: body, priority: 5 }, ({ one, seats }, { request, response }) => ({ one, seats, is: request.isMethod("get") && response.isError() }));',
  'app.get("/a/:one", { stage: z.object({ one: z.coerce.number() }) }, ({ one }) => one.toFixed());',
  'app.get("/a/:one", { stage: json }, ({ one }) => one.trim());',
  'app.get("/a", { stage: own }, ({ a }) => a.toFixed());',
  'app.get(anyName, { priority: 1 }, (stage) => String(stage.any));',
  'app.all("/a/**", {}, () => new globalThis.Response(null, { status: 204 }));',
  // Listeners before.
  'app.on("system-model-create", { schema: "note" }, ({ schema, note_text }, { response }) => { if (note_text === schema) response.setError(true, "no"); });',
  'app.on("system-model-detail", { schema: "note", priority: 2 }, ({ note_id }) => (note_id === 7 ? { note_id: 7, note_text: "made" } : undefined));',
  'app.on("system-model-search", { schema: "note" }, ({ limit }) => ({ rows: [], total: limit ?? 0 }));',
  'app.on("system-model-*", { schema: ["note", "person"] }, (stage, _, { event }) => void [stage.anything, event]);',
  'app.on(/^system-/, {}, (stage) => void stage.anything);',
  'app.on("note-count", {}, ({ note_id, word }) => (word === "a" ? { left: note_id ?? 0 } : undefined));',
  'app.on("system-model-create", (request, response) => void [request.getStage(), response.isError()], 5);',
  'app.on(["a", "b"], { priority: 1 }, ({ any }) => ({ any }));',
  'app.on("system-model-create", { schema: anyName }, (stage) => void stage.anything);',
  // Listeners after.
  'app.after("system-model-create", { schema: "note" }, ({ note_text }, { row }) => ({ more: note_text + row.note_text }));',
  'app.after("system-model-update", { schema: "note" }, ({ note_id }, { row, before }) => void [note_id, row.note_fee, before?.note_text.length]);',
  'app.after("system-model-create", { schema: ["note", "person"] }, async (_, { row, response }) => { response.setResults("a", row); });',
  'app.after("system-model-search", { schema: "note" }, (_, { row }) => ({ total: row.rows.length }));',
  'app.after("system-model-create", { schema: "note" }, async (request: Request, response: Response) => { response.setResults("a", request.getStage("a")); });',
  'app.after("note-count", {}, (_, { row }) => ({ twice: 2 * row.left }));',
  'app.after("system-model-create", (request, response) => void response.setResults("a", request.getStage("a")));',
  'app.after("system-model-remove", { schema: "note" }, async (_, { before }) => app.mail({ to: before?.note_text ?? "", template: "gone" }));',
  // Events.
  'app.event("a", { stage: body, results: answer }, ({ seats }) => ({ left: seats }));',
  'app.event("a", { stage: json }, ({ seats }, { request }) => ({ seats, method: request.getMethod() }));',
  'app.event("a", {}, async (stage, { response }) => (stage.no ? response.refuse({ status: 404, message: "no" }) : { a: 1 }));',
  'const left: number | undefined = (await app.emit("note-count", { note_id: 7 })).getResults("left"); void left;',
  'const twice: number | undefined = (await app.emit("note-zod", { n: 7 })).getResults()?.twice; void twice;',
  'await app.emit("note-count", { note_id: 7, word: "a" } satisfies StageOf<"note-count", string>);',
  'const list: readonly string[] = []; await app.emit("note-many", { n: "7", on: true, list });',
  'await app.emit("note-many", { n: 7, on: false, list: [] });',
  'const any: unknown = (await app.emit("note-any", { any: 7 })).getResults(); void any;',
  'const results: ResultsOf<"note-count"> = { left: 5 }; void results;',
];

/** What does not, each for a reason of its own. */
export const WRONG: readonly string[] = [
  // Stages of calls.
  'app.rest({ ...call, body }, ({ seat }) => ({ seat }));',
  'app.rest({ ...call, body }, (stage) => stage.seat);',
  'app.rest({ ...call, body }, ({ seats }) => seats.trim());',
  'app.rest({ ...call, body }, ({ mail }) => mail.trim());',
  'app.rest({ ...call, body }, ({ talk_id }) => talk_id.toFixed());',
  'app.rest({ ...call, body }, ({ talk }) => talk);',
  'app.rest({ ...call, body }, ({ profile_id }) => profile_id);',
  'app.rest({ ...call, body: own }, ({ a }) => a.trim());',
  'app.rest({ ...call, body: json }, ({ seats }) => seats.toFixed());',
  'app.rest({ ...call, body }, (stage) => { stage.seats = 5; });',
  'app.rest({ ...call, body }, (_, { reply }) => reply);',
  'app.rest({ ...call, body, answer }, (request: Response) => void request);',
  // Results of calls.
  'app.rest({ ...call, answer }, () => ({ lefft: 1 }));',
  'app.rest({ ...call, answer }, () => ({ left: "1" }));',
  'app.rest({ ...call, answer }, async () => ({ left: null }));',
  'app.rest({ ...call, answer }, () => ({}));',
  'app.rest({ ...call, answer: z.object({ list: z.array(z.string()) }) }, () => { const list: readonly number[] = []; return { list }; });',
  'app.rest({ ...call, answer }, () => [1]);',
  'app.rest({ ...call, answer }, () => "text");',
  'app.rest({ ...call, answer }, () => 5);',
  'app.rest({ ...call, answer }, () => true);',
  'app.rest({ ...call, body, answer }, ({ seats }) => (seats > 1 ? { left: seats } : { right: seats }));',
  'app.rest({ ...call, answer: own }, () => ({ a: 5 }));',
  // Calls themselves.
  'app.rest({ ...call, access: "all" }, () => ({}));',
  'app.rest({ ...call, body, answers: answer }, () => ({}));',
  'app.rest({ ...call, body, status: 204 }, () => ({}));',
  'app.rest({ access: "public", method: "get", body }, () => ({}));',
  'app.rest({ ...call, body });',
  'app.rest({ ...call, body: "text" }, () => ({}));',
  // Routes.
  'app.get("/a/:one", {}, ({ one }) => one.toFixed());',
  'app.get("/a/:one", { stage: z.object({ one: z.coerce.number() }) }, ({ one }) => one.trim());',
  'app.get("/a", { priority: "high" }, () => "a");',
  'app.get("/a", { stages: body }, () => "a");',
  'app.get("/a", { stage: body }, ({ seats }) => seats.trim());',
  'app.get("/a", { stage: body }, ({ seat }) => seat);',
  'app.get("/a", {}, (_, { respond }) => respond);',
  'app.get("/a", {});',
  'app.get("/a", 5);',
  // Listeners before.
  'app.on("system-model-create", { schema: "notes" }, () => undefined);',
  'app.on("system-model-create", { schema: "note" }, ({ note_txt }) => void note_txt);',
  'app.on("system-model-create", { schema: "note" }, ({ note_text }) => void note_text.trim());',
  'app.on("system-model-create", { schema: "note" }, (stage) => { stage.note_text = "a"; });',
  'app.on("system-model-detail", { schema: "note" }, () => ({ note_id: "7" }));',
  'app.on("system-model-search", { schema: "note" }, () => ({ rows: [{ note_txt: "a" }] }));',
  'app.on("note-count", {}, ({ id }) => void id);',
  'app.on("note-count", {}, () => ({ left: "a" }));',
  'app.on("note-count", { order: 5 }, () => undefined);',
  'app.on("note-count", () => undefined, "high");',
  // Listeners after.
  'app.after("system-model-create", { schema: "notes" }, () => undefined);',
  'app.after("system-model-create", { schema: "note" }, (_, { row }) => void row.note_txt);',
  'app.after("system-model-create", { schema: "note" }, (_, { row }) => void row.note_text.toFixed());',
  'app.after("system-model-update", { schema: "note" }, (_, { before }) => void before.note_text);',
  'app.after("system-model-update", { schema: "note" }, (_, { row }) => void row.note_fee.trim());',
  'app.after("system-model-create", { schema: "note" }, ({ note_txt }) => void note_txt);',
  'app.after("system-model-create", { schema: "note" }, () => ({ note_text: 5 }));',
  'app.after("system-model-create", { schema: "note" }, (_, { old }) => void old);',
  'app.after("system-model-search", { schema: "note" }, (_, { row }) => void row.note_text);',
  // Events of Treadle.
  'await app.emit("job-detail", { id: 7 });',
  'await app.emit("job-detail", { job_id: { eq: 7 } });',
  'await app.emit("auth-update", { auth_id: 7, profile_nam: "Ann" });',
  'await app.emit("auth-role", { auth_id: 7, role: 5 });',
  '(await app.emit("job-detail", { job_id: 7 })).getResults("jobid")?.toFixed();',
  '(await app.emit("job-detail", { job_id: 7 })).getResults("job_id")?.trim();',
  // Events.
  'app.event("a", { stage: body }, ({ seat }) => ({ seat }));',
  'app.event("a", { stage: body }, ({ seats }) => ({ seats: seats.trim() }));',
  'app.event("a", { results: answer }, () => ({ lefft: 1 }));',
  'app.event("a", { results: answer }, async () => ({ left: "1" }));',
  'app.event("a", { shape: body }, () => ({}));',
  'app.event("a", () => ({}));',
  'await app.emit("note-count", {});',
  'await app.emit("note-count", { note_id: "7" });',
  'await app.emit("note-count", { note_id: 7, words: "a" });',
  '(await app.emit("note-count", { note_id: 7 })).getResults("lefft")?.toFixed();',
  '(await app.emit("note-count", { note_id: 7 })).getResults("left").toFixed();',
  'await app.emit("note-zod", { n: "a" });',
  'await app.emit("note-many", { n: true, on: true, list: [] });',
  'await app.emit("note-many", { n: 7, on: true, list: [5] });',
  'const results: ResultsOf<"note-count"> = { left: "5" }; void results;',
];
