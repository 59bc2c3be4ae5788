import { encode } from 'uqr';

/** A QR code as the `d` of an SVG path, one unit a module. Needs no style, so a strict policy allows it. */
export function toQrPath(text: string): { readonly size: number; readonly path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const runs = data.flatMap((row, y) => {
    const found: string[] = [];
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x += 1;
      found.push(`M${start} ${y}h${x - start + 1}v1h-${x - start + 1}z`);
    }
    return found;
  });
  return { size, path: runs.join('') };
}
