/** What agents say all the time while they work, and what tells it from what a successor must know. For text in lower case. */

/** Why: a sentence that gives a reason is worth more to a successor than one that does not. */
export const reason = /\b(?:because|since|as|due to|given that|owing to|the reason|so)\b|[:—–] ?\S/;
/** What is done at once, or has just been seen. */
export const narration =
  /^\W*(?:(?:ok(?:ay)?|good|great|right|perfect|so|now|next(?=,? let)|first|alright|yes|and|then)[,.!:]? )*(?:let me|let['’]s (?:see|look|check|run|start|try|first|have)|i(?:['’]ll| will| am going to|['’]m going to) (?:now |first |just |quickly |start by |also |then )*(?:check|look|read|run|see|open|search|try|inspect|verify|take a look|start|find|grep|list|view|examine|re-?run|update|fix|add|create|edit|write|make)|now (?:i|let|we|that|the)\b|(?:looking|reading|running|checking|searching|opening)\b(?!(?:(?! (?:to|how|that|which|who|whether|why|where|what|because|so|if|when|and|until) )[^,;:]){0,120} (?:is|are|was|were|does|did|has|had|can|cannot|will|would|breaks?|fails?|makes?|gives?|takes?|costs?|seemed|looked|sounded|proved|turned|felt|los(?:es?|t)|leaves?|led|hides?|misses|doubles?|needs?)\b)|here(?:['’]s| is)|this (?:file|function|test|module|class|line|is|looks)|i (?:see|can see|found|notice|understand|(?:still )?need to (?:check|look|see|understand|verify|read|find out|know))|there (?:is|are) (?:\w+ )?(?:callers?|files?|tests?|places?|matches|errors?|warnings?|usages?)|the (?:tests?|build|output|file|error|function|log|(?:issue|problem) (?:is|was|seems|must|comes|lies|here))\b)/;
/** Narration that has none of these is not looked at any further: most of a session is such. */
export const outright =
  /dead[- ]?end|red herring|rabbit hole|\bblock(?:ed|er)|\bstuck\b|\bdeci[ds]|\bnext steps?\b|\bremain|\brule[ds]? out|\bgave up|\babandon|\brevert|\bwaiting (?:for|on)|\bno (?:luck|avail|way)\b|\binstead of\b|\brather than\b/;

/** What was just done, told without a reason or a turn. */
export const reported =
  /^\W*(?:i|i['’]ve|i have|we|we['’]ve|we have) (?:also |then |now |just )?(?:add|mov|renam|updat|creat|correct|adjust|extend|clean|format|commit|fix|extract|writ|wrote|ran|rewrote)(?:ed|d|en)?\b/;
export const turning =
  /\b(?:but|because|since|instead|rather|not|without|until|so that|however|yet|only|over|against|next|remain\w*|still|before|tried|waiting|need\w*)\b|n['’]t\b/;

/** Speaks of any of a sort. */
export const generic =
  /^\W*(?:if|when|whenever|where|an?|every|each|any|either|all) (?!of (?:this|that)\b|i\b|we\b|you\b)/;
