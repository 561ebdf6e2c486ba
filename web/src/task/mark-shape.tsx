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
      return <circle cx={x} cy={y} r={5} />;
    case 'offer':
      return <path d={`M${x - 5} ${y - 5}L${x + 5} ${y}L${x - 5} ${y + 5}Z`} />;
    case 'accept':
      return <path d={`M${x + 5} ${y - 5}L${x - 5} ${y}L${x + 5} ${y + 5}Z`} />;
    case 'submit':
      return <path d={`M${x - 5} ${y + 5}L${x} ${y - 5}L${x + 5} ${y + 5}Z`} />;
    case 'approve':
    case 'end':
      return <rect x={x - 5} y={y - 5} width={10} height={10} rx={2} />;
    case 'opened':
      return <circle cx={x} cy={y} r={4.5} class="hollow" />;
    case 'decline':
    case 'send-back':
      return <path d={`M${x} ${y - 6}L${x + 6} ${y}L${x} ${y + 6}L${x - 6} ${y}Z`} />;
    case 'lapse':
    case 'escalation':
      return (
        <path class="cross" d={`M${x - 4} ${y - 4}L${x + 4} ${y + 4}M${x + 4} ${y - 4}L${x - 4} ${y + 4}`} />
      );
  }
}
