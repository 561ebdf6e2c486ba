/** docs/findings.md, held to the profile: what each rule does where, and a section for each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { certifications } from '../../src/core/journal/event.ts';
import { gateRules } from '../../src/core/gate/lint.ts';
import { holdsInHaste, profile } from '../../src/core/gate/profile.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/findings.md'), 'utf8');
const sections = new Map(
  page
    .split(/^(?=### )/m)
    .filter((part) => part.startsWith('### '))
    .map((part) => [part.slice(4, part.indexOf('\n')), part] as const),
);

test('the page has the table of the profile, row by row', () => {
  const rows = gateRules.map(({ id }) => {
    const { ordinary, strict } = profile[id];
    const inHaste = holdsInHaste(id) ? 'refuse' : 'silent';
    const cells = [ordinary.onTheWay, ordinary.atTheEnd, strict.onTheWay, strict.atTheEnd, inHaste];
    return `| [${id}](#${id}) | ${cells.map((weight) => (weight === 'silent' ? '–' : weight)).join(' | ')} |`;
  });
  expect(page.match(/^\| \[[a-z-]+\]\(#.*$/gm)).toEqual(rows);
});

test('the page has a section for every rule, in the order of the gate, and no other', () => {
  expect([...sections.keys()]).toEqual(gateRules.map((rule) => rule.id));
});

describe.each(gateRules.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  test('says what holds, why, and how to mend it', () => {
    const section = sections.get(id) ?? '';
    expect(section).toContain(`\n\n${rule.title}.\n`);
    expect(section).toMatch(/^\*\*Why\*\* \S/m);
    expect(section).toMatch(/^\*\*Mend\*\* \S/m);
  });
});

test('the page names every certification', () => {
  expect(certifications.filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
});
