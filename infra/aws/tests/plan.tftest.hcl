mock_provider "aws" {
  mock_data "aws_caller_identity" {
    defaults = { account_id = "123456789012" }
  }
  mock_data "aws_region" {
    defaults = { name = "eu-central-1" }
  }
  mock_data "aws_partition" {
    defaults = { dns_suffix = "amazonaws.com" }
  }
  mock_data "aws_iam_policy_document" {
    defaults = { json = "{\"Version\":\"2012-10-17\",\"Statement\":[]}" }
  }
  mock_resource "aws_sqs_queue" {
    defaults = { arn = "arn:aws:sqs:eu-central-1:123456789012:queue" }
  }
  mock_resource "aws_iam_role" {
    defaults = { arn = "arn:aws:iam::123456789012:role/router" }
  }
  mock_resource "aws_lambda_function" {
    defaults = { arn = "arn:aws:lambda:eu-central-1:123456789012:function:router" }
  }
  mock_resource "aws_cloudwatch_event_rule" {
    defaults = { arn = "arn:aws:events:eu-central-1:123456789012:rule/recover" }
  }
  mock_resource "aws_kms_key" {
    defaults = { arn = "arn:aws:kms:eu-central-1:123456789012:key/1" }
  }
  mock_resource "aws_s3_bucket" {
    defaults = { arn = "arn:aws:s3:::acme-123456789012" }
  }
  mock_resource "aws_cloudwatch_log_group" {
    defaults = { arn = "arn:aws:logs:eu-central-1:123456789012:log-group:router" }
  }
}

variables {
  name     = "acme"
  agents   = ["research", "code"]
  runtimes = ["codex"]
}

run "everything" {
  command = apply

  assert {
    condition     = output.store == "aws://acme-123456789012/relay?region=eu-central-1&queue=https%3A%2F%2Fsqs.eu-central-1.amazonaws.com%2F123456789012%2Facme"
    error_message = "The address of the store is another one: ${output.store}"
  }
  assert {
    condition     = toset(keys(aws_sqs_queue.end)) == toset(["lane-plan", "lane-execute", "lane-audit", "lane-supervise", "agent-research", "agent-code", "runtime-codex"])
    error_message = "There is a queue for each lane, agent and program."
  }
  assert {
    condition     = alltrue([for queue in aws_sqs_queue.end : queue.fifo_queue && queue.sqs_managed_sse_enabled])
    error_message = "Every queue is FIFO and encrypted."
  }
  assert {
    condition     = contains(aws_lambda_event_source_mapping.in.function_response_types, "ReportBatchItemFailures") && aws_lambda_event_source_mapping.in.batch_size <= 10
    error_message = "Failures are reported message by message, in batches that FIFO queues allow."
  }
  assert {
    condition     = aws_sqs_queue.in.visibility_timeout_seconds >= 6 * aws_lambda_function.function["router"].timeout
    error_message = "A message is hidden for six times as long as the function may take."
  }
  assert {
    condition     = one([for one in data.aws_iam_policy_document.bucket.statement : toset([for condition in one.condition : condition.variable]) if one.sid == "OnlyUnderACondition"]) == toset(["s3:if-match", "s3:if-none-match"])
    error_message = "Heads are written under a condition only."
  }
  assert {
    condition     = alltrue([for queue in concat(values(aws_sqs_queue.end), [aws_sqs_queue.in]) : jsondecode(queue.redrive_policy).maxReceiveCount == 5])
    error_message = "What was heard five times is a dead letter."
  }
  assert {
    condition     = alltrue(flatten([for name in ["agent", "operator", "router"] : [for one in { agent = data.aws_iam_policy_document.agent, operator = data.aws_iam_policy_document.operator, router = data.aws_iam_policy_document.router }[name].statement : [for action in one.actions : !strcontains(action, "*")]]]))
    error_message = "No role may do all of something."
  }
  assert {
    condition     = toset([for alarm in aws_cloudwatch_metric_alarm.watch : alarm.metric_name if alarm.namespace == "Staffetta/acme"]) == toset(["bellMs", "oldestOfferSeconds", "leasesLapsed", "deadTasks", "damaged"]) && alltrue([for alarm in aws_cloudwatch_metric_alarm.watch : contains(keys(aws_cloudwatch_log_metric_filter.said), alarm.metric_name) if alarm.namespace == "Staffetta/acme"])
    error_message = "What is watched of the functions is what they say."
  }
  assert {
    condition     = aws_s3_bucket_public_access_block.store.restrict_public_buckets && aws_kms_key.store.enable_key_rotation
    error_message = "The bucket is private, and its key is changed every year."
  }
}

run "a_name_that_no_bucket_can_have" {
  command = plan
  variables {
    name = "Acme Work"
  }
  expect_failures = [var.name]
}
