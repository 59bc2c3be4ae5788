import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import type { Context } from '../../../plan/feature.ts';
import type { OwnerKind } from '../owner.ts';
import { type Outcome, readSubmission, requireSaveProof, type SavingForm } from '../submit.ts';
import { findWriteRefusal } from '../write-right.ts';

interface EmitResult {
  /** Undefined if a listener of the project refused, or the definition does not exist. */
  readonly outcome: Outcome | undefined;
  readonly status: number;
  readonly message: string | undefined;
}

const UNPROVEN: EmitResult = { outcome: { state: 'unproven' }, status: 303, message: undefined };

/**
 * Emits an event of a definition, as the viewer, so that a project's listeners see the browser's saves too. Asks for
 * the password first, unless nothing would be written.
 */
export async function emitOwner(
  context: Context,
  form: SavingForm,
  event: `system-${OwnerKind}-${string}`,
  stage: Readonly<Record<string, unknown>>,
): Promise<EmitResult> {
  const isWriting = !readSubmission(stage).isPreview && (await findWriteRefusal(context)) === undefined;
  if (isWriting && !requireSaveProof(context, form)) return UNPROVEN;
  const request = new Request();
  request.setStage({ ...stage });
  const response = new Response(request);
  await context.emit(event, request, response);
  const results = response.getResults() as { readonly outcome?: Outcome } | undefined;
  const message = response.getMessage();
  const outcome = results?.outcome ?? (message === undefined ? undefined : ({ state: 'refused', message } as const));
  return { outcome, status: response.getStatus(), message };
}
