import * as z from 'zod';
import { tick } from '../../plan/event/value.ts';

/** Keys of a stage that say how to save; {@link readSubmission} reads them. */
export const saveStage = () => ({
  do: z
    .custom<'preview'>()
    .meta({ enum: ['preview'] })
    .optional()
    .describe('`preview` writes nothing: `outcome.review` says what saving would do.'),
  allow_loss: tick('1 does migration steps that lose data too, with a copy kept.'),
  defaults: z
    .custom<Readonly<Record<string, string>>>()
    .meta({ type: 'object', additionalProperties: { type: 'string' } })
    .optional()
    .describe('Values for existing rows of a column that is required now, such as `defaults[article.author]=unknown`.'),
});
