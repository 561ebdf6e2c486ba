/**
 * Of what a sentence of an agent speaks, by its grammar. Most of what agents write describes code: something does something, in the
 * third person and in the present. What a successor must know speaks of the work: of those who do it, of what was tried, of
 * what is to be done. All signs are written for text in lower case.
 */
import { anyOf, remembered, type Sign } from './kinds.ts';

/** Verbs of work, as in "wire the reader into main.ts". */
const acts =
  'add|adjust|align|apply|backfill|benchmark|bring|build|bump|change|check|clean|clear|close|collect|commit|compare|configure|connect|continue|convert|copy|correct|cover|create|cut|debug|delete|deploy|document|drop|enable|expose|extend|extract|file|fill|finali[sz]e|finish|fix|flip|format|generate|get|give|handle|hook|implement|improve|inline|inspect|install|integrate|introduce|investigate|kill|land|link|list|look|make|mark|measure|merge|migrate|mock|move|narrow|open|patch|pick|pin|polish|port|prepare|profile|prove|publish|push|put|re-?run|read|rebase|rebuild|recheck|refactor|regenerate|register|release|remove|rename|repeat|replace|reproduce|restart|restore|resume|retry|review|rewrite|roll|run|send|set|ship|simplify|sort|split|start|stop|strip|switch|tag|take|teach|test|thread|tidy|trace|translate|trim|try|turn|tweak|uninstall|update|upgrade|upload|use|validate|verify|wait|wire|wrap|write';
const object =
  '(?= +(?:the|an?|all|every|each|it|this|that|these|those|both|any|one|two|three|another|more|in|into|up|out|off|on|onto|over|to|with|from|by|for|down|back|away|through|old|new|last|remaining|our|my|your|its|their|some|only|whatever|what|`|…|\\S*[./_:-]\\S|[\\w-]+s\\b|\\w+ (?:in|to|for|from|with|on)\\b))';
const adverbs = '(?:(?:now|then|also|first|still|just|next|at once|\\w+ly) )*';

/** In the imperative: at the beginning, after a colon, or after a clause that says when or what for. */
const imperative = new RegExp(
  [
    `^\\W*(?:(?:then|now|next|finally|also|first|please|and|afterwards|later),? )*(?:${acts})\\b${object}`,
    `[:;–—] (?:then |first |and |to )?(?:${acts})\\b${object}`,
    `^\\W*(?:to|once|after|when|as soon as|before|if|for|as|from)\\b[^,]{2,80}, (?:then |just |please |first )?(?:${acts})\\b${object}`,
  ].join('|'),
);
/** After "to", "should", "I'd" and their like … */
const meant = new RegExp(
  `(?:\\b(?:to|should|would|will|must|can|could|and)|['’](?:d|ll)) ${adverbs}(?:${acts})\\b${object}`,
);
/** … if it is somebody, or the work, that does it. */
const doer =
  /\b(?:i|we|you|who(?:m?ever)?|somebody|someone|successor|agent|session|commit|pr|steps?|move|things?|point|item|task|job|work|plan|intention|left|remains?|remaining|now|yet|time|missing|ready|about|going|stays?|open|done)\b/;
const doerChars = 60;
/** Whatever the verb: "the plan is to import …", "I was just going to raise …". */
const intended =
  /\b(?:plan(?:ned|s)?|idea|intention|intend(?:ed|s)?|going|about|left|remains?|yet|time|ready|(?:step|thing|move|task|point|job|item)s?|still (?:have|has|need|needs)|(?:i|we|you|somebody|someone) (?:still |now |just |only )?(?:have|has|need|want(?:ed)?|ought))(?: (?:is|was|are|would be|will be|now|then|left))? to (?!be\b|the\b|an?\b|this\b|that\b|it\b)[a-z-]+\b/;
const doingIt =
  /\b(?:left|remains?|remaining|missing|next|open|now|plan|step|todo|to-do)\b[^.]{0,30}\b(?:is|:) [a-z]+ing\b/;

/** Asks for something to be done. */
export const toDo: Sign = remembered(
  anyOf(
    imperative,
    {
      test: (words) => {
        const at = words.search(meant);
        return at !== -1 && doer.test(words.slice(Math.max(0, at - doerChars), at));
      },
      within: [meant],
    },
    intended,
    doingIt,
  ),
);

/** Those who do the work, and the work. */
export const speaker = remembered(/\b(?:i|we|me|us|my|our|you|your)\b/);
export const theWork = remembered(
  /^\W*work\b|\b(?:all of this|this (?:part|work|task|job|change|step|ticket|feature|branch|fix|migration)|the (?:work|task|job|rest|release|rollout|deploy(?:ment)?|hand-?over|next (?:commit|step|session|agent))|progress|everything|in this (?:sandbox|environment|session|container|shell|workspace)|here(?=[ ,.;:]|$)|agenda|to-?do|hold(?:s|ing)? (?:this|it|us|me) (?:up|back))\b/,
);

/** What an agent cannot get by itself. */
export const outOfReach = remembered(
  /\b(?:unreachable|offline|exhausted|quota|unavailable|inaccessible|locked out|credentials?|permissions?|access|vpn|firewall|paywall|licen[sc]es?|(?:api|private|secret|signing) keys?|passwords?|sandbox|only (?:the |an? )?[\w-]+(?: [\w-]+)? can|(?:has|have|needs?) to be \w+ (?:before|first)|(?:in|under) maintenance|not (?:yet )?(?:merged|available|plugged|reachable|provided|granted))\b/,
);

/** Something was done and came out so: what a description of code does not say. */
export const happened = remembered(
  /\b(?:tried|attempted|reverted|undid|undone|dropped|discarded|abandoned|scrapped|removed|rejected|gave up|given up|ruled|turned out|ended|led to|went|broke|made|had (?:no|to|been)|(?:was|were) (?:no|not|of|an?|the|my|our|ruled|wrong|only|let)|did|didn['’]?t|failed because|disproved?|proved|proven|spent|wasted|burned|burnt|hopes|seemed|sounded|looked (?:promising|right|good|like)|expected|hoped|thought|backed|chose|chosen|picked|settled|opted|decided|agreed|weighed|switched|replaced|stopped|ceased|expired|used up|as i|anymore)\b/,
);

/** A way to do something, as the subject: "Batching the writes", "A regex", "The retry-on-403 idea". */
export const approach = remembered(
  /^\W*(?:(?:also|again|sadly|unfortunately|note|result|findings?|so|but|and),? )*(?:using |the )?(?:[a-z-]+ing\b(?! (?:is|are) (?:a|an|the) (?:string|list|map|thing)\b)|[^,.:]{0,60}\b(?:approach|idea|route|trick|workaround|theory|hypothesis|attempt|plan|option|variant|experiment|way)\b)/,
);

/** One thing against another, and why: two things of which a description has one at most. */
const contrast =
  '(?:instead of|rather than|as opposed to|in place of|in favou?r of|, (?:and )?not |and not|, never | over | against |than |no longer)';
const because = '(?:because|since|so that|\\bas\\b|given that|the reason|hence|[:—–] |; )';
const contrasts = new RegExp(contrast);
const reasonedAt = new RegExp(`${contrast}.*${because}|${because}.*${contrast}`);
export const reasoned: Sign = remembered({
  test: (words) => contrasts.test(words) && reasonedAt.test(words),
  within: [contrasts],
});
