import { Client } from './_client.ts';

/** A file that a page of the docs shows whole. */
export interface ShownFile {
  readonly file: string;
  readonly text: string;
}

/** The words of a command line, as a shell reads them. */
const toWords = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');

const FENCE = /^```(\S+)(?: (\S+))?\n([\s\S]*?)\n```$/gm;

/** A script in place of an assistant: it knows how to ask, and no command, no file and no address. */
export class Script {
  readonly #client: Client;

  constructor(root: string) {
    this.#client = new Client(root);
  }

  tool(name: string, input: object = {}): Promise<Record<string, unknown>> {
    return this.#client.tool(name, input);
  }

  end(): Promise<number> {
    return this.#client.end();
  }

  /** The commands that help shows as examples of a command, in words without `treadle`. */
  async #listExamples(command: string): Promise<string[][]> {
    const { help } = await this.tool('describe', { kind: 'command', name: command });
    return [...String(help).matchAll(/\$ treadle (.+)/g)].map(([, line = '']) => toWords(line));
  }

  /** Changes something as an example does, with other names; where it is refused with a command as its remedy, that is done first. */
  async changeLike(command: string, names: Readonly<Record<string, string>>, number = 0): Promise<void> {
    const example = (await this.#listExamples(command))[number] ?? [];
    const words = example.map((word) =>
      Object.entries(names).reduce((text, [from, to]) => text.replaceAll(from, to), word),
    );
    await this.change(words);
  }

  async change(command: readonly string[]): Promise<void> {
    const first = await this.#client.call('change', { command });
    if (first.isError) {
      const remedy = /treadle ((?:relation|field|schema) \w+ [\w: -]+?)(?=[.`"]|$)/.exec(
        JSON.stringify(first.data),
      )?.[1];
      if (remedy === undefined) throw new Error(JSON.stringify(first.data));
      await this.#client.change({ command: toWords(remedy) });
    }
    await this.#client.change({ command });
  }

  /** The text of the first page of a search that has what is looked for. */
  async #findPage(query: string, isMeant: (text: string) => boolean): Promise<string> {
    const { results } = (await this.tool('docs_search', { query })) as { results: { page: string }[] };
    for (const { page } of results) {
      const { text } = await this.tool('docs_search', { page: page.replace(/#.*$/, '') });
      if (isMeant(String(text))) return String(text);
    }
    throw new Error(`No page answers: ${query}`);
  }

  /** The files of a page that shows one of each kind. */
  async findFiles(query: string, ...kinds: readonly RegExp[]): Promise<ShownFile[]> {
    const list = (text: string): ShownFile[] =>
      [...text.matchAll(FENCE)].flatMap(([, , info, code = '']) => {
        const file = info ?? /^\/\/ (\S+\.ts)$/m.exec(code.split('\n')[0] ?? '')?.[1];
        return file !== undefined && kinds.some((kind) => kind.test(file)) ? [{ file, text: code }] : [];
      });
    const hasAll = (files: readonly ShownFile[]): boolean =>
      kinds.every((kind) => files.some(({ file }) => kind.test(file)));
    return list(await this.#findPage(query, (text) => hasAll(list(text))));
  }

  /** The first command line of a page that begins with these words. */
  async findCommand(query: string, beginning: string): Promise<string[]> {
    const find = (text: string): string | undefined =>
      text.split('\n').find((line) => line.replace(/^npx /, '').startsWith(`treadle ${beginning} `));
    const text = await this.#findPage(query, (page) => find(page) !== undefined);
    return toWords(String(find(text)))
      .filter((word) => word !== 'npx')
      .slice(1);
  }
}
