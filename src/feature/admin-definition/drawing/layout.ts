import { toLocalText } from '../../../core/text/translate.ts';
import type { Definitions } from '../../../model/definitions.ts';
import { toRelationName } from '../../../model/removal/target.ts';
import type { Relation, Schema } from '../../../model/shape.ts';

/** Pixels of the drawing. */
const BOX = { width: 220, head: 34, line: 20, foot: 8, gapX: 110, gapY: 36, edge: 24 } as const;
/** Fields that a box shows; the rest is counted. */
const MOST_FIELDS = 12;

/** A schema in the drawing. */
export interface DrawnBox {
  readonly name: string;
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fields: readonly {
    readonly text: string;
    readonly kind: string;
    readonly y: number;
    readonly isRequired: boolean;
  }[];
  readonly more: number;
  readonly moreY: number;
}

/** A relation in the drawing. */
export interface DrawnLine {
  readonly path: string;
  readonly relation: Relation;
  readonly from: string;
  readonly x: number;
  readonly y: number;
}

export interface DiagramLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly DrawnBox[];
  readonly lines: readonly DrawnLine[];
}

const countLines = ({ fields }: Schema): number =>
  Math.min(fields.length, MOST_FIELDS) + (fields.length > MOST_FIELDS ? 1 : 0);
const toHeight = (schema: Schema): number => BOX.head + countLines(schema) * BOX.line + BOX.foot;

/** Schemas in an order that keeps related ones close: each is followed by those that it leads to. */
function sortByRelations(schemas: ReadonlyMap<string, Schema>): Schema[] {
  const seen = new Set<string>();
  const sorted: Schema[] = [];
  const visit = (name: string): void => {
    const schema = schemas.get(name);
    if (schema === undefined || seen.has(name)) return;
    seen.add(name);
    sorted.push(schema);
    for (const { schema: other } of schema.relations ?? []) visit(other);
  };
  const degree = ({ relations = [] }: Schema): number => relations.length;
  for (const { name } of [...schemas.values()].sort((a, b) => degree(b) - degree(a))) visit(name);
  return sorted;
}

function toBox(schema: Schema, x: number, y: number): DrawnBox {
  const shown = schema.fields.slice(0, MOST_FIELDS);
  return {
    name: schema.name,
    label: toLocalText(schema.singular),
    x,
    y,
    width: BOX.width,
    height: toHeight(schema),
    fields: shown.map(({ name, type, required }, index) => ({
      text: name,
      kind: type,
      isRequired: required === true,
      y: BOX.head + (index + 0.7) * BOX.line,
    })),
    more: schema.fields.length - shown.length,
    moreY: BOX.head + (shown.length + 0.7) * BOX.line,
  };
}

/** Boxes in columns of about the same height. */
function placeBoxes(schemas: readonly Schema[]): DrawnBox[] {
  const columns = Math.max(1, Math.round(Math.sqrt(schemas.length)));
  const total = schemas.reduce((sum, schema) => sum + toHeight(schema) + BOX.gapY, 0);
  let column = 0;
  let y: number = BOX.edge;
  return schemas.map((schema) => {
    if (column < columns - 1 && y > BOX.edge && y + toHeight(schema) / 2 > total / columns) {
      column += 1;
      y = BOX.edge;
    }
    const box = toBox(schema, BOX.edge + column * (BOX.width + BOX.gapX), y);
    y += box.height + BOX.gapY;
    return box;
  });
}

/** A curve between the sides of two boxes that face each other; around the right side for boxes of one column. */
function toLine(from: DrawnBox, to: DrawnBox, relation: Relation, index: number): DrawnLine {
  const y1 = from.y + BOX.head / 2 + index * 10;
  const y2 = to.y + BOX.head / 2;
  const isRight = to.x > from.x;
  const isSame = to.x === from.x;
  const x1 = isRight || isSame ? from.x + from.width : from.x;
  const x2 = isRight ? to.x : to.x + to.width;
  const bend = isSame ? 60 : Math.max(40, Math.abs(x2 - x1) / 2);
  const [c1, c2] = isSame ? [x1 + bend, x2 + bend] : isRight ? [x1 + bend, x2 - bend] : [x1 - bend, x2 + bend];
  const end = from === to ? y2 + 24 : y2;
  return {
    path: `M${x1} ${y1} C${c1} ${y1} ${c2} ${end} ${x2} ${end}`,
    relation,
    from: from.name,
    // The middle of the curve.
    x: Math.round((x1 + 3 * c1 + 3 * c2 + x2) / 8),
    y: Math.round((y1 + end) / 2) - 4,
  };
}

/** Room that the label of a line takes, in pixels: labels stand in the gap between two columns. */
const LABEL = { width: BOX.gapX, height: 16 } as const;

/** Moves labels down that would stand on another one, such as those of lines that cross. */
function spreadLabels(lines: readonly DrawnLine[]): DrawnLine[] {
  const placed: DrawnLine[] = [];
  const isTaken = (x: number, y: number): boolean =>
    placed.some((other) => Math.abs(other.x - x) < LABEL.width && Math.abs(other.y - y) < LABEL.height);
  for (const line of lines) {
    let { y } = line;
    while (isTaken(line.x, y)) y += LABEL.height;
    placed.push({ ...line, y });
  }
  return placed;
}

/** Places every schema and relation of a model. */
export function layOut({ schema }: Pick<Definitions, 'schema'>): DiagramLayout {
  const schemas = new Map([...schema].map(([name, { value }]) => [name, value] as const));
  const boxes = placeBoxes(sortByRelations(schemas));
  const byName = new Map(boxes.map((box) => [box.name, box] as const));
  const lines = [...schemas.values()].flatMap(({ name, relations = [] }) =>
    relations.flatMap((relation, index) => {
      const [from, to] = [byName.get(name), byName.get(relation.schema)];
      return from === undefined || to === undefined ? [] : [toLine(from, to, relation, index)];
    }),
  );
  const width = Math.max(0, ...boxes.map((box) => box.x + box.width)) + BOX.edge + 60;
  const height = Math.max(0, ...boxes.map((box) => box.y + box.height)) + BOX.edge;
  return { width, height, boxes, lines: spreadLabels(lines) };
}

/** Kind and name of a relation, beside its line. */
export const toLineLabel = (relation: Relation): string => `${relation.kind} ${toRelationName(relation)}`;
