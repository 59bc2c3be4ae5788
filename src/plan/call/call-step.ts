/** The names of the steps of a REST call, in order. A call has those that can do something for it. */
export const CALL_STEPS = [
  'cors',
  'authenticate',
  'limit',
  'scope',
  'origin',
  'stage',
  'access',
  'accept',
  'idempotent',
  'cached',
  'precondition',
  'together',
  'emit',
  'children',
  'complete',
] as const;
export type CallStepName = (typeof CALL_STEPS)[number];
