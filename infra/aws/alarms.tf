# What the router says of each recovery, as metrics.
resource "aws_cloudwatch_log_metric_filter" "recovered" {
  for_each       = toset(["lapsed", "expired", "dead", "damaged", "rung"])
  name           = "${var.name}-${each.key}"
  log_group_name = aws_cloudwatch_log_group.router.name
  pattern        = "{ $.what = \"recovered\" }"
  metric_transformation {
    name      = each.key
    namespace = "Staffetta/${var.name}"
    value     = "$.${each.key}"
  }
}

locals {
  alarms = {
    dead-letters = { namespace = "AWS/SQS", metric = "ApproximateNumberOfMessagesVisible", statistic = "Maximum", threshold = 0, dimensions = { QueueName = aws_sqs_queue.dead.name }, text = "A ring was heard five times and could not be passed on." }
    rings-wait   = { namespace = "AWS/SQS", metric = "ApproximateAgeOfOldestMessage", statistic = "Maximum", threshold = 300, dimensions = { QueueName = aws_sqs_queue.in.name }, text = "Rings wait for the router for over five minutes." }
    router-fails = { namespace = "AWS/Lambda", metric = "Errors", statistic = "Sum", threshold = 0, dimensions = { FunctionName = aws_lambda_function.router.function_name }, text = "The router, or a recovery, failed." }
    dead-tasks   = { namespace = "Staffetta/${var.name}", metric = "dead", statistic = "Sum", threshold = 0, dimensions = {}, text = "The attempts of a task are used up: staffetta ls --dead" }
    damaged      = { namespace = "Staffetta/${var.name}", metric = "damaged", statistic = "Maximum", threshold = 0, dimensions = {}, text = "A task cannot be read: staffetta verify" }
  }
}

resource "aws_cloudwatch_metric_alarm" "watch" {
  for_each            = local.alarms
  alarm_name          = "${var.name}-${each.key}"
  alarm_description   = each.value.text
  namespace           = each.value.namespace
  metric_name         = each.value.metric
  dimensions          = each.value.dimensions
  statistic           = each.value.statistic
  period              = 300
  evaluation_periods  = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = each.value.threshold
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_actions
}
