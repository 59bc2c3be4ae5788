/** Keys of a stage that say how to save. */
export const SAVE_STAGE: Readonly<Record<string, string>> = {
  do: '`preview` writes nothing: `outcome.review` says what saving would do.',
  allow_loss: '1 does migration steps that lose data too, with a copy kept.',
  defaults: 'Values for existing rows of a column that is required now, such as `defaults[article.author]=unknown`.',
};
