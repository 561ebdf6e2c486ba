/** What mends a finding, in options and commands. The gate names fields; these are the names that they have here. */
import { joinCommand } from '../../core/base/command-line.ts';
import { aboutIt, type Finding } from '../../core/gate/finding.ts';

const ways: Readonly<Record<string, string>> = {
  'goal-missing': '--goal "…"',
  'next-action': '--next "…"',
  'gate-missing': '--accept "…", --validate "…" or --review human',
  'acceptance-missing': '--accept "…"',
  'non-goals-missing': '--non-goal "…"',
  'validation-missing': '--validate "…"',
  'review-owner': '--review human',
  'artefacts-missing': '--artefact PATH',
  'question-owner': '--question "human: …"',
  'evidence-missing': '--done "… [j12]"',
  'evidence-unknown': 'see staffetta log TASK',
  'run-not-passed': 'staffetta validate TASK',
  'run-failed': '--blocker "… [RUN]"',
  'validation-unproven': 'staffetta validate TASK',
  'untracked-lost': '--artefact "PATH: …"',
  'changed-beside': 'staffetta restore TASK --worktree DIR',
  'tree-moved': 'staffetta checkpoint',
  'switch-unjustified': '--why "…"',
};

/** Findings of earlier versions say it in these words already. */
const spelled = /(?:^|\s)--\w|staffetta \w/;

export function mending({ rule, fix, path }: Pick<Finding, 'rule' | 'fix' | 'path'>): string {
  const phase = rule === 'phases-unfinished' ? /^contract\.phases\.(.+)$/s.exec(path)?.[1] : undefined;
  if (phase !== undefined)
    return `${fix.replace(/\.$/, '')}: staffetta phase ${fix.startsWith('Start') ? 'start' : 'verify'} ${joinCommand([phase])}`;
  const way = spelled.test(fix) ? undefined : aboutIt(ways[rule], path);
  return way === undefined ? fix : `${fix.replace(/\.$/, '')}: ${way}`;
}
