/**
 * Marks with which a conversation with a model is written: tags and headings of roles, tokens of templates. In data they make words of
 * somebody look like words of somebody else. What stands in code marks is shown as code, and is spoken of.
 */
import { asSeen } from '../as-seen.ts';
import type { GateRule } from '../rule.ts';

const mark =
  /<\/?(?:system|assistant|developer|instructions?)>|\[\/?(?:INST|SYSTEM)\]|<\|[a-z_]{1,30}\|>|(?:^|\n)[ \t]*(?:#{1,4} ?)?(?:SYSTEM|DEVELOPER|ASSISTANT) ?:/;
const codeMarks = /`[^`\n]*`/g;

export const conversationMarks: GateRule = {
  id: 'conversation-marks',
  title: 'No mark of a conversation stands in what is told as data',
  about: 'claims',
  check: ({ packet, claims }) =>
    [
      ...claims,
      ...packet.artefacts.map(({ why }, i) => ({ path: `artefacts[${i}].why`, text: asSeen(why ?? '') })),
    ].flatMap(({ path, text }) => {
      // No mark has a backtick in it: one that stands outside of code stands in the whole text as well.
      if (!mark.test(text)) return [];
      const found = mark.exec(text.replaceAll(codeMarks, '`…`'))?.[0].trim();
      if (found === undefined) return [];
      return [
        {
          path,
          text: `${found} is a mark of a conversation: what follows could be taken for words of somebody else.`,
          fix: 'Take it out, or put it in code marks if it is what you write about.',
        },
      ];
    }),
};
