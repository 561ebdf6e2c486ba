import type { Mark } from './chart.ts';

/** Told apart by shape as well as by colour. */
export function MarkShape({
  kind,
  x,
  y,
}: {
  readonly kind: Mark['kind'];
  readonly x: number;
  readonly y: number;
}) {
  switch (kind) {
    case 'checkpoint':
      return <circle cx={x} cy={y} r={3.5} />;
    case 'offer':
      return <path d={`M${x - 4} ${y - 4}L${x + 4} ${y}L${x - 4} ${y + 4}Z`} />;
    case 'accept':
      return <path d={`M${x + 4} ${y - 4}L${x - 4} ${y}L${x + 4} ${y + 4}Z`} />;
    case 'submit':
      return <path d={`M${x - 4} ${y + 4}L${x} ${y - 4}L${x + 4} ${y + 4}Z`} />;
    case 'approve':
    case 'end':
      return <rect x={x - 4} y={y - 4} width={8} height={8} rx={1} />;
    case 'opened':
      return <circle cx={x} cy={y} r={3} class="hollow" />;
    case 'decline':
    case 'send-back':
      return <path d={`M${x} ${y - 5}L${x + 5} ${y}L${x} ${y + 5}L${x - 5} ${y}Z`} />;
    case 'lapse':
    case 'escalation':
      return (
        <path class="cross" d={`M${x - 4} ${y - 4}L${x + 4} ${y + 4}M${x + 4} ${y - 4}L${x - 4} ${y + 4}`} />
      );
  }
}
