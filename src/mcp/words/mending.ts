/** What mends a finding, in arguments of the tools. The gate names fields; these are the names that they have here. */
import { aboutIt, type Finding } from '../../core/gate/finding.ts';
import { commandsAsTools } from './next-calls.ts';

const ways: Readonly<Record<string, string>> = {
  'next-action': 'nextAction',
  'gate-missing': 'acceptance: ["…"], validation: ["…"] or review: "human"',
  'acceptance-missing': 'acceptance: ["…"]',
  'non-goals-missing': 'nonGoals: ["…"]',
  'validation-missing': 'validation: ["…"]',
  'review-owner': 'review: "human"',
  'artefacts-missing': 'artefacts: ["PATH"]',
  'question-owner': 'questions: ["human: …"]',
  'evidence-missing': 'done: ["… [j12]"]',
  'evidence-unknown': 'the tool read with what: history shows them',
  'run-not-passed': 'staffetta validate, in a shell',
  'run-failed': 'blockers: ["… [RUN]"]',
  'validation-unproven': 'staffetta validate, in a shell',
  'phases-unfinished': 'staffetta phase, in a shell',
  'untracked-lost': 'artefacts: ["PATH: …"]',
  'tree-moved': 'the tool seal',
  'switch-unjustified': 'why',
};

/** Findings of earlier versions speak in commands and options; those are translated. */
export function mended<T extends Pick<Finding, 'rule' | 'fix' | 'path'>>(finding: T): T {
  const fix = commandsAsTools(finding.fix);
  const way = fix === finding.fix ? aboutIt(ways[finding.rule], finding.path) : undefined;
  return { ...finding, fix: way === undefined ? fix : `${fix.replace(/\.$/, '')}: ${way}` };
}
