output "store" {
  description = "The address of the store: export STAFFETTA_STORE=…"
  value       = local.store
}

output "agent_policy" {
  description = "What the role of an agent needs, and no more."
  value       = aws_iam_policy.agent.arn
}

output "dead_letters" {
  description = "Rings that could not be passed on. They can be moved back: aws sqs start-message-move-task"
  value       = aws_sqs_queue.dead.arn
}
