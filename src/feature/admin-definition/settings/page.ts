import { translate } from '../../../core/text/translate.ts';
import { toKeyLabel } from '../../../model/form/key.ts';
import { parseJsonText } from '../../../model/json/json-text.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import { isObjectShape, readDescription, unwrapShape } from '../../../model/shape/walk.ts';
import { Settings, toFile } from '../../../model/shape.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import { leaveSaved, showForm } from '../form.ts';
import { findErrors } from '../outcome.ts';
import { type Outcome, proposeValues, readSubmission, submit } from '../submit.ts';
import { listSettings, readSetting, setPart, toSettingControl } from './controls.ts';

const PATH = '/admin/system/settings';
const FILE = toFile('settings', 'settings');

type Values = Readonly<Record<string, unknown>>;

/** Heading of a group of settings, and what its shape says. */
function toGroup(key: string): { title: string; about: string } {
  const shape = (Settings.shape as Readonly<Record<string, Parameters<typeof unwrapShape>[0]>>)[key];
  if (shape === undefined || !isObjectShape(unwrapShape(shape))) return { title: translate('Site'), about: '' };
  return { title: translate(toKeyLabel(key)), about: translate(readDescription(shape) ?? '').replaceAll('`', '') };
}

/** A database address without its password. */
const hidePassword = (url: string): string => url.replace(/^(\w+:\/\/[^:@/]*):[^@]*@/, '$1:…@');

/** The page of the settings: every key of their shape, with what holds now. */
export async function showSettings(context: Context, exchange: Exchange): Promise<void> {
  const { request } = exchange;
  const { definitions } = await readProject(context.services.root);
  const { text, value: effective } = definitions.settings;
  const file = parseJsonText(text.replace(/^\uFEFF/, '')).value;
  const written: Values = isRecord(file) ? file : {};
  const settings = listSettings(Settings, written, effective);
  const isPost = request.isMethod('POST');
  const posted = (isPost ? request.getPost() : {}) as Values;
  const wanted = settings.map((setting) => (isPost ? readSetting(setting, posted) : setting.written));
  const value = settings.reduce<Record<string, unknown>>((all, { path }, index) => setPart(all, path, wanted[index]), {
    ...written,
  });
  const outcome: Outcome | undefined = isPost
    ? await submit(context, {
        by: exchange,
        submission: readSubmission(posted),
        title: translate('Changed {file}', { file: FILE }),
        file: FILE,
        propose: () => proposeValues(context, [{ kind: 'settings', name: 'settings', value }]),
      })
    : undefined;
  if (leaveSaved(exchange, outcome, PATH)) return;
  const errors = findErrors(outcome, FILE);
  const groups = new Map<string, ReturnType<typeof toSettingControl>[]>();
  for (const [index, setting] of settings.entries()) {
    const [first = ''] = setting.path;
    const key = setting.path.length === 1 ? '' : first;
    const part = wanted[index];
    // What holds is shown where the file says nothing, unless somebody typed something else.
    const shown = part === undefined && wanted[index] === setting.written ? setting.effective : part;
    const control = toSettingControl(setting, shown, errors.get(setting.path.join('.')));
    groups.set(key, [...(groups.get(key) ?? []), control]);
  }
  await showForm(context, exchange, {
    title: translate('Settings'),
    crumbs: [],
    template: 'definition/settings',
    file: FILE,
    base: PATH,
    outcome,
    data: {
      groups: [...groups].map(([key, controls]) => ({ ...toGroup(key), key: key || 'site', controls })),
      database: hidePassword(effective.database.url),
    },
  });
}
