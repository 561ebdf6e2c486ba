output "store" {
  description = "The address of the store: export STAFFETTA_STORE=…"
  value       = local.store
}

output "agent_policy" {
  description = "What the role of an agent needs, and no more."
  value       = aws_iam_policy.role["agent"].arn
}

output "operator_policy" {
  description = "The same, and the dead letters: for the machine of the control room."
  value       = aws_iam_policy.role["operator"].arn
}

output "dead_letters" {
  description = "Rings that were heard five times in vain. The control room and staffetta dead show them, and ring again."
  value       = aws_sqs_queue.dead.arn
}
