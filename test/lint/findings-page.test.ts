/** docs/findings.md, held to the rules: every rule is there, its severities are right, and its examples are judged as it says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kinds } from '../../src/core/kind.ts';
import { lint, rules } from '../../src/core/lint.ts';
import type { Rule } from '../../src/core/lint/rule.ts';
import { certifications } from '../../src/core/event.ts';
import { subjectFrom, type Example } from './example.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/findings.md'), 'utf8');
const sections = new Map(
  page
    .split(/^(?=### )/m)
    .filter((part) => part.startsWith('### '))
    .map((part) => [part.slice(4, part.indexOf('\n')), part] as const),
);

function exampleIn(section: string, verdict: 'refused' | 'passes'): Example {
  const source = new RegExp(`^\`\`\`json ${verdict}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(section)?.[1] ?? '';
  return JSON.parse(source) as Example;
}

function severityLine({ weight }: Rule): string {
  const softer = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const named = kinds.filter((kind) => weight.softer?.[kind] === severity);
    return named.length === 0 ? [] : [`${severity} for ${named.join(', ')}`];
  });
  return `**Severity** ${[weight.strict, ...softer].join('; ')}\n`;
}

test('the page has a section for every rule, in the order of the gate, and no other', () => {
  expect([...sections.keys()]).toEqual(rules.map((rule) => rule.id));
});

describe.each(rules.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  const section = sections.get(id) ?? '';

  test('says what holds, why, how severe it is and how to mend it', () => {
    expect(section).toContain(`\n\n${rule.title}.\n`);
    expect(section).toContain(severityLine(rule));
    expect(section).toMatch(/^\*\*Why\*\* \S/m);
    expect(section).toMatch(/^\*\*Mend\*\* \S/m);
  });

  test('objects to the first example, and alone', () => {
    const found = lint(subjectFrom(exampleIn(section, 'refused')));
    expect([...new Set(found.map((finding) => finding.rule))]).toEqual([id]);
  });

  test('has nothing against the second', () => {
    expect(lint(subjectFrom(exampleIn(section, 'passes')))).toEqual([]);
  });
});

test('the page names every certification and every kind of work', () => {
  expect([...certifications, ...kinds].filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
});
