import type { Problem } from '../../core/errors.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import { findIcon, listIconNames } from '../../model/icon.ts';
import type { Model } from '../../model/model.ts';

/** Advice on schemas with an icon of an unknown name: the admin section shows the usual icon in its place. */
export function toIconAdvice({ schemas }: Model): Problem[] {
  return [...schemas.values()]
    .filter(({ icon }) => icon !== undefined && findIcon(icon) === undefined)
    .map(({ name, icon = '' }) => ({
      code: 'SCHEMA_ICON_UNKNOWN',
      file: `config/schema/${name}.json`,
      path: 'icon',
      message: `The icon "${icon}" does not exist.`,
      hint: `${toDidYouMean(icon, listIconNames())} See: https://lucide.dev/icons`,
      severity: 'advice',
    }));
}
