/** Pictures as text: no fonts, no scripts, light and dark by the reader's own setting. */
const style = `text{font:13px system-ui,sans-serif;fill:#1c2322}.quiet{fill:#5a6361}.title{font-weight:600;font-size:15px}
.line{stroke:#dedad0;stroke-width:1;fill:none}.ours{stroke:#0e6b5e;fill:#0e6b5e}.theirs{stroke:#a3201a;fill:#a3201a}.target{stroke:#8a4d00;stroke-width:2}
.met{fill:#0e6b5e;stroke:#0e6b5e}.missed{fill:#a3201a;stroke:#a3201a}path.ours,path.theirs{fill:none;stroke-width:2.5}
@media (prefers-color-scheme:dark){text{fill:#e6e9e8}.quiet{fill:#9aa5a3}.line{stroke:#2c353d}.ours{stroke:#67cdb9;fill:#67cdb9}.theirs{stroke:#ff938a;fill:#ff938a}
.target{stroke:#f0b35c}.met{fill:#67cdb9;stroke:#67cdb9}.missed{fill:#ff938a;stroke:#ff938a}path.ours,path.theirs{fill:none}}`;

export function picture(
  size: { readonly width: number; readonly height: number },
  title: string,
  inside: string,
): string {
  const { width, height } = size;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>${style}</style>
<text class="title" x="16" y="26">${escaped(title)}</text>
${inside}
</svg>
`;
}

export function text(at: { readonly x: number; readonly y: number }, words: string, more = ''): string {
  return `<text x="${round(at.x)}" y="${round(at.y)}"${more === '' ? '' : ` ${more}`}>${escaped(words)}</text>`;
}

export function line(kind: string, from: readonly [number, number], to: readonly [number, number]): string {
  return `<line class="${kind}" x1="${round(from[0])}" y1="${round(from[1])}" x2="${round(to[0])}" y2="${round(to[1])}"/>`;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
